import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import { installerProgram, simImage, stagedInstallerProgram } from '../../src/sim/images/demo.ts'
import type { Rack } from '../../src/sim/rack.ts'
import { story, type Words } from './story.ts'

/** The order that the seed wants: EFI shell, disk, network. */
const shellFirst = (rack: Rack): void => {
  rack.machine('srv-1').order = ['Boot0000', 'Boot0001', 'Boot0002']
}
/** Installed and running from disk, as most of its life. */
const installed = async ({ when, then }: Words, spec: object = {}): Promise<void> => {
  await when.claims('c1', spec)
  await then.server('srv-1', minutes(30), { state: 'Reserved', powerState: 'On', boot: { step: 'Ended', outcome: 'Installed' } as never })
}
const resets = (words: Words) => words.happened('srv-1').filter(({ what }) => what === 'reset').length

describe('a power transition that nobody here commanded', () => {
  it('BP-003 BP-015 BP-062 X-008 a manual power cycle ends in the EFI shell, is seen, and is resumed by one operation', () =>
    story(
      async words => {
        const { when, then, condition, world, server, boots } = words
        await installed(words)
        when.byHand('srv-1', 'PowerCycle')
        await then.server(
          'srv-1',
          minutes(10),
          ({ status }) => status?.conditions?.some(c => c.type === 'UnexpectedPowerTransition' && c.status === 'True') ?? false,
        )
        await when.passes(minutes(60))
        expect(world.rack.machine('srv-1')).toMatchObject({ stage: 'shell', armed: { lasts: 'Disabled' } })
        expect(await condition('srv-1', 'UnexpectedPowerTransition')).toMatchObject({
          message: expect.stringContaining('rackwright resume srv-1-system-0'),
        })
        expect((await server('srv-1')).spec.serverClaimRef?.name).toBe('c1')
        await when.asks('srv-1', 'resume-boot')
        await then.runsFrom('srv-1', 'Hdd', minutes(20))
        await then.server('srv-1', minutes(5), { boot: { method: 'Hdd', outcome: 'Started' } as never })
        expect(await condition('srv-1', 'UnexpectedPowerTransition')).toMatchObject({ status: 'False' })
        expect((await server('srv-1')).metadata.annotations?.['metal.ironcore.dev/operation']).toBeUndefined()
        expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'Hdd', 'UefiShell', 'Hdd'])
      },
      { prepare: shellFirst },
    ))

  it('X-008 a pulled cord is seen as off, stays so for as long as nobody asks, and is resumed from disk', () =>
    story(async words => {
      const { when, then, world, condition } = words
      await installed(words)
      when.byHand('srv-1', 'ForceOff')
      await then.server('srv-1', minutes(5), { powerState: 'Off' })
      await when.passes(minutes(90))
      expect(world.rack.machine('srv-1').power).toBe('Off')
      expect(await condition('srv-1', 'UnexpectedPowerTransition')).toMatchObject({ status: 'True' })
      await when.asks('srv-1', 'resume-boot')
      await then.runsFrom('srv-1', 'Hdd', minutes(10))
    }))

  it.each([
    ['a moment', 1],
    ['an hour', 60],
  ])('BP-061 a system that shut itself down is booted from its disk when its claim says Off for %s, and then On', (_, long) =>
    story(async words => {
      const { when, then, boots, condition } = words
      await installed(words)
      when.byHand('srv-1', 'GracefulShutdown')
      await then.server('srv-1', minutes(5), { powerState: 'Off' })
      await when.passes(minutes(10))
      expect(await condition('srv-1', 'UnexpectedPowerTransition')).toMatchObject({ status: 'True' })
      await when.wantsPower('c1', 'Off')
      await when.passes(minutes(long))
      expect(await condition('srv-1', 'UnexpectedPowerTransition')).toMatchObject({ status: 'False', reason: 'WantedOff' })
      await when.wantsPower('c1', 'On')
      await then.runsFrom('srv-1', 'Hdd', minutes(15))
      expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'Hdd', 'Hdd'])
    }),
  )

  it('T-82 a cord that is pulled during the installation leads to no boot of a half-written disk', () =>
    story(async words => {
      const { when, then, world, happened } = words
      await when.claims('c1')
      await then.runsFrom('srv-1', 'UefiHttp', minutes(10))
      when.byHand('srv-1', 'ForceOff')
      await then.server('srv-1', minutes(5), { powerState: 'Off', boot: { step: 'Ended', outcome: 'Interrupted' } as never })
      await when.passes(minutes(90))
      expect(world.rack.machine('srv-1')).toMatchObject({ power: 'Off', disk: undefined, armed: { lasts: 'Disabled' } })
      expect(happened('srv-1').filter(({ what }) => what === 'installed')).toEqual([])
    }))

  it('T-19 X-034 with unexpectedBoot Disk a system that restarts itself finds its disk armed each time', () =>
    story(
      async words => {
        const { when, then, boots, condition, world } = words
        await installed(words, { bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd', unexpectedBoot: 'Disk' } })
        for (const _ of [1, 2]) {
          await world.until(minutes(5), 'the disk is armed', () => world.rack.machine('srv-1').armed.target === 'Hdd')
          when.byHand('srv-1', 'ForceRestart')
          await when.passes(seconds(30))
          await then.runsFrom('srv-1', 'Hdd', minutes(10))
        }
        expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'Hdd', 'Hdd', 'Hdd'])
        expect(await condition('srv-1', 'UnexpectedPowerTransition')).toBeUndefined()
      },
      { prepare: shellFirst },
    ))

  const staged = { images: [simImage('library/staged', '1', { uki: stagedInstallerProgram('os-1') })], prepare: shellFirst }
  const byItself = (words: Words) => words.happened('srv-1').filter(event => event.what === 'reset' && event.by === 'OS').length

  it('T-82 X-034 an installer that restarts three times by itself, and reports nothing, is installed once: each restart reaches the disk', () =>
    story(async words => {
      const { when, then, boots, happened, condition, world } = words
      await when.claims('c1', { image: 'staged:1', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd', unexpectedBoot: 'Disk' } })
      await world.until(minutes(90), 'it has restarted three times', () => byItself(words) === 3)
      await when.passes(minutes(1))
      await then.runsFrom('srv-1', 'Hdd', minutes(10))
      await when.passes(minutes(30))
      expect(byItself(words)).toBe(3)
      // The first restart is answered after the fact: it ends in the shell, and is cycled to the disk.
      expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'UefiShell', 'Hdd', 'Hdd', 'Hdd'])
      expect(happened('srv-1').filter(({ what }) => what === 'installed')).toHaveLength(1)
      expect(await condition('srv-1', 'UnexpectedPowerTransition')).toBeUndefined()
    }, staged))

  it('T-82 X-034 the same installer with a safe stop: its first restart is answered, the others stop in the shell until somebody resumes it', () =>
    story(async words => {
      const { when, then, boots, happened, world } = words
      await when.claims('c1', { image: 'staged:1' })
      for (const restart of [2, 3]) {
        await world.until(minutes(90), `it has restarted ${restart} times`, () => byItself(words) === restart)
        await then.server(
          'srv-1',
          minutes(10),
          ({ status }) => status?.conditions?.some(c => c.type === 'UnexpectedPowerTransition' && c.status === 'True') ?? false,
          'it is said',
        )
        await when.passes(minutes(20))
        expect(world.rack.machine('srv-1').stage).toBe('shell')
        await when.asks('srv-1', 'resume-boot')
        await then.runsFrom('srv-1', 'Hdd', minutes(20))
      }
      await when.passes(minutes(30))
      expect(boots('srv-1').filter(from => from === 'UefiHttp')).toHaveLength(1)
      expect(happened('srv-1').filter(({ what }) => what === 'installed')).toHaveLength(1)
      expect(world.rack.machine('srv-1')).toMatchObject({ stage: 'running', source: 'Hdd' })
    }, staged))

  it('BP-073 a server with another boot order goes on working; only its safe stop is missing', () =>
    story(async words => {
      const { when, then, condition } = words
      await installed(words)
      when.byHand('srv-1', 'PowerCycle')
      await then.runsFrom('srv-1', 'Hdd', minutes(10))
      await when.passes(minutes(2))
      expect(await condition('srv-1', 'UnexpectedPowerTransition')).toMatchObject({ status: 'True' })
    }))
})

describe('commanded power', () => {
  it('a system that does not listen is switched off by force after five minutes, and not before', () =>
    story(
      async words => {
        const { when, then, world } = words
        await installed(words)
        await when.wantsPower('c1', 'Off')
        await when.passes(minutes(4.5))
        expect(world.rack.machine('srv-1').power).toBe('On')
        await then.server('srv-1', minutes(3), { powerState: 'Off', stopping: { how: 'forced' } as never })
      },
      { images: [simImage('library/my-uki-osimage', 'latest', { uki: [...installerProgram('deaf'), 'ignore-power-button'] })] },
    ))

  for (const [operation, by] of [
    ['graceful-restart-server', 'GracefulShutdown'],
    ['hard-restart-server', 'ForceOff'],
    ['power-cycle-server', 'ForceOff'],
  ] as const)
    it(`${operation} ends what runs and boots the disk again`, () =>
      story(async words => {
        const { when, then, happened, condition } = words
        await installed(words)
        await when.asks('srv-1', operation)
        await then.server('srv-1', minutes(15), { powerState: 'On', boot: { attempt: 3, method: 'Hdd', outcome: 'Started' } as never })
        expect(happened('srv-1')).toContainEqual(expect.objectContaining({ what: 'power', to: 'Off', by }))
        expect(await condition('srv-1', 'UnexpectedPowerTransition')).toBeUndefined()
      }))

  it('an operation that nobody knows is taken away with a warning', () =>
    story(async words => {
      const { when, server, world } = words
      await when.asks('srv-1', 'self-destruct')
      await when.passes(minutes(1))
      expect((await server('srv-1')).metadata.annotations?.['metal.ironcore.dev/operation']).toBeUndefined()
      const events = await world.kube.list({ group: '', version: 'v1', plural: 'events', namespaced: true })
      expect(events.items).toContainEqual(expect.objectContaining({ type: 'Warning', reason: 'UnsupportedOperation' }))
    }))

  it('I24 nothing is done to a server that is ignored', () =>
    story(async words => {
      const { when, happened } = words
      await when.asks('srv-1', 'ignore')
      const before = happened('srv-1').length
      await when.claims('c1')
      await when.passes(minutes(30))
      expect(happened('srv-1')).toHaveLength(before)
    }))

  it('BP-072 T-21 X-006 a server that runs is never cycled for the upgrade; its next commanded cycle boots the network once', () =>
    story(async words => {
      const { when, then, world, boots } = words
      await installed(words)
      const servers = { group: 'metal.ironcore.dev', version: 'v1alpha1', plural: 'servers', namespaced: false }
      const key = { name: 'c1', namespace: 'default' }
      // As a version before ours left it: no note of a boot, no annotation.
      await world.kube.patch(
        servers,
        { name: 'srv-1-system-0' },
        { merge: { status: { boot: null, stopping: null } } },
        { subresource: 'status' },
      )
      const annotations = { 'metal.ironcore.dev/provisioned': null }
      await world.kube.patch({ ...servers, plural: 'serverbootconfigurations', namespaced: true }, key, {
        merge: { metadata: { annotations } },
      })
      const before = resets(words)
      await when.passes(minutes(60))
      expect(resets(words)).toBe(before)
      await when.wantsPower('c1', 'Off')
      await then.server('srv-1', minutes(5), { powerState: 'Off' })
      await when.wantsPower('c1', 'On')
      await then.runsFrom('srv-1', 'Hdd', minutes(30))
      expect(boots('srv-1').slice(3)).toEqual(['UefiHttp', 'Hdd'])
    }))

  it('BP-048 T-22 deleting the configuration of a running server reinstalls it at its next commanded power cycle, not before', () =>
    story(async words => {
      const { when, then, world, boots, configuration } = words
      await installed(words)
      const configurations = { group: 'metal.ironcore.dev', version: 'v1alpha1', plural: 'serverbootconfigurations', namespaced: true }
      await world.kube.delete(configurations, { name: 'c1', namespace: 'default' })
      await when.passes(minutes(60))
      expect((await configuration('c1'))?.metadata.annotations).toBeUndefined()
      expect(boots('srv-1')).toHaveLength(3)
      await when.wantsPower('c1', 'Off')
      await then.server('srv-1', minutes(5), { powerState: 'Off' })
      await when.wantsPower('c1', 'On')
      await then.isProvisioned('c1', minutes(20))
      expect(boots('srv-1').slice(3)).toContain('UefiHttp')
    }))
})
