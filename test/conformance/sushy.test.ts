import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personalities } from '../../src/sim/personalities/index.ts'
import { pythonOf, type QuickRack, quickRack, run } from './quick-rack.ts'

const python = pythonOf('redfish-clients')
if ('missing' in python) console.log(`sushy is skipped: ${python.missing}`)

describe.skipIf('missing' in python)('sushy, the Redfish client of OpenStack Ironic, drives the simulated rack', () => {
  let rack: QuickRack
  beforeAll(async () => {
    rack = await quickRack()
  })
  afterAll(() => rack.close())

  async function sushy(make: string, what: string): Promise<Record<string, unknown>> {
    const program = join('folder' in python ? python.folder : '', 'bin', 'python')
    const out = await run(program, [join(import.meta.dirname, 'drive-sushy.py'), rack.url(make), rack.authority, what])
    return JSON.parse(out.trim().split('\n').at(-1)!) as Record<string, unknown>
  }

  it.each(personalities.map(({ name }) => name))('inspects %s as Ironic does and cycles its power', async make => {
    expect(await sushy(make, 'inspect,cycle')).toMatchObject({
      cpus: 128,
      memory: 256,
      disks: [960_197_124_096, 960_197_124_096, 8_001_563_222_016],
      managers: ['BMC'],
      'secure boot': false,
      cycled: true,
    })
    expect(rack.rack.counts(make).sessions).toBeLessThanOrEqual(1)
  })

  it('arms the next boot, which the firmware uses up', async () => {
    expect(await sushy('generic', 'boot_once')).toEqual({ armed: ['Pxe', 'Once'], after: 'Disabled' })
  })

  it('inserts and ejects virtual media', async () => {
    expect(await sushy('generic', 'media')).toEqual({ inserted: [true, 'http://files.example/a.iso', 'a.iso'], ejected: false })
  })

  it('changes BIOS settings, which hold after a reset', async () => {
    expect(await sushy('generic', 'bios')).toMatchObject({
      registry: 9,
      pending: { ProcHyperthreading: 'Disabled', BootDelaySeconds: 9 },
      before: 'Enabled',
      applied: 'Disabled',
    })
  })

  it('updates firmware with SimpleUpdate and follows the task to its end', async () => {
    expect(await sushy('generic', 'update')).toMatchObject({ first: 'Running', end: 'Completed', version: '9.1.0' })
  })
})
