import { describe, expect, it } from 'vitest'
import { cleanPlan, deployPlan, type OfferedStep } from './agent-plan.ts'

const offers = (step: string, priority = 0, more: Partial<OfferedStep> = {}): OfferedStep => ({
  step,
  interface: 'deploy',
  priority,
  restarts: false,
  ...more,
})

describe('deployPlan()', () => {
  it.each([
    [
      'an image, with an entry for firmware after it',
      [offers('write_image')],
      'write_image',
      true,
      ['deploy.write_image', 'image.install_bootloader', 'standby.sync'],
    ],
    [
      'ZT-040 a step of the agent’s own',
      [offers('write_image'), offers('start_assisted_install')],
      'start_assisted_install',
      false,
      ['deploy.start_assisted_install', 'standby.sync'],
    ],
    [
      'by priority, before and after what installs it',
      [offers('after', 20), offers('write_image'), offers('before', 95), offers('burnin', 0), offers('raid', 90, { interface: 'raid' })],
      'write_image',
      true,
      ['deploy.before', 'raid.raid', 'deploy.write_image', 'image.install_bootloader', 'deploy.after', 'standby.sync'],
    ],
    [
      'what installs it once only, whatever priority it has by itself',
      [offers('install_coreos', 30)],
      'install_coreos',
      false,
      ['deploy.install_coreos', 'standby.sync'],
    ],
  ] as const)('%s', (_, offered, step, bootloader, steps) => expect(deployPlan(offered, { step, bootloader })).toEqual({ steps }))
  it('says which steps there are where the one that is wanted is not among them', () =>
    expect(deployPlan([offers('write_image')], { step: 'install_coreos', bootloader: false })).toEqual({
      because: 'the agent has no deploy step install_coreos; it has write_image',
    }))
  it('refuses a step that wants a restart in the middle', () =>
    expect(deployPlan([offers('write_image'), offers('flash', 90, { restarts: true })], { step: 'write_image', bootloader: true })).toEqual(
      {
        because: expect.stringContaining('deploy.flash wants a restart'),
      },
    ))
})

describe('cleanPlan()', () => {
  it.each([
    [
      'never writes over whole disks',
      [offers('erase_devices', 10), offers('erase_devices_express', 5), offers('erase_devices_metadata', 99)],
      ['deploy.erase_devices_metadata', 'standby.sync'],
    ],
    [
      'takes the metadata even where the agent would not by itself',
      [offers('erase_devices_metadata', 0), offers('erase_pstore', 0)],
      ['deploy.erase_devices_metadata', 'standby.sync'],
    ],
    [
      'does what makers want done besides, in their order',
      [offers('erase_devices_metadata', 10), offers('reset_bios', 50)],
      ['deploy.reset_bios', 'deploy.erase_devices_metadata', 'standby.sync'],
    ],
  ] as const)('%s', (_, offered, steps) => expect(cleanPlan(offered)).toEqual({ steps }))
  it('says so where the agent cannot', () =>
    expect(cleanPlan([])).toEqual({ because: 'the agent has no clean step erase_devices_metadata' }))
})
