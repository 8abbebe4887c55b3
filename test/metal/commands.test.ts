import { describe, expect, it } from 'vitest'
import { wish } from '../../src/cli/commands/power.ts'
import { forget } from '../../src/cli/commands/reprovision.ts'
import { ask } from '../../src/cli/operation.ts'
import { minutes } from '../../src/core/duration.ts'
import { story, type Words } from './story.ts'

/** What Events say, with their reasons. */
const told = async ({ world }: Words): Promise<readonly string[]> =>
  (await world.kube.list({ group: '', version: 'v1', plural: 'events', namespaced: true })).items.map(event => {
    const { reason, message } = event as unknown as { readonly reason: string; readonly message: string }
    return `${reason}: ${message}`
  })

describe('power', () => {
  it('of a server that nobody has is refused, with what to do instead, and nothing is written', () =>
    story(async ({ world, server }) => {
      const before = await server('srv-1')
      await expect(wish(world.kube, before, 'On')).rejects.toThrow(
        'Cannot switch srv-1-system-0 on: no claim has it, and it is Available. A server that nobody has stays off',
      )
      await expect(wish(world.kube, before, 'Off')).rejects.toThrow('One that is free is switched off by itself')
      expect((await server('srv-1')).metadata.generation).toBe(before.metadata.generation)
    }))
  it('of one that somebody has is its claim’s wish', () =>
    story(async ({ when, then, world, server }) => {
      await when.claims('c1', { power: 'Off' })
      await then.server('srv-1', minutes(5), { state: 'Reserved' })
      await wish(world.kube, await server('srv-1'), 'On')
      await then.claim('c1', minutes(1), ({ spec }) => spec.power === 'On', 'wants it on')
    }))
})

describe('reprovision', () => {
  it('BP-036 BP-048 T-22 deletes the boot configuration: the next commanded boot installs, and its claim is warned before that', () =>
    story(async words => {
      const { when, then, world, configuration, happened } = words
      const installs = () => happened('srv-1').filter(({ what }) => what === 'installed').length
      await when.claims('c1')
      await then.server('srv-1', minutes(30), { boot: { step: 'Ended', outcome: 'Installed' } as never })
      const before = (await configuration('c1'))!.metadata.uid
      await when.wantsPower('c1', 'Off')
      await then.server('srv-1', minutes(10), { powerState: 'Off' })
      await forget(world.kube, { name: 'c1', namespace: 'default' })
      await world.until(
        minutes(2),
        'there is another',
        async () => ![undefined, before].includes((await configuration('c1'))?.metadata.uid),
      )
      expect((await configuration('c1'))?.metadata.annotations ?? {}).not.toHaveProperty('metal.ironcore.dev/provisioned')
      await when.passes(minutes(1))
      expect(await told(words)).toContainEqual(expect.stringMatching(/^InstalledAgain: .*rackwright adopt srv-1-system-0/))
      expect(installs()).toBe(1)
      await when.wantsPower('c1', 'On')
      await then.server('srv-1', minutes(30), { boot: { step: 'Ended', outcome: 'Installed' } as never })
      expect(installs()).toBe(2)
    }))
  it('T-22 a claim that never booted its server is not warned when its configuration is made anew', () =>
    story(async words => {
      const { when, then, world, configuration } = words
      await when.claims('c1', { power: 'Off' })
      await then.claim(
        'c1',
        minutes(5),
        ({ status }) => status?.conditions?.some(({ type }) => type === 'Configured') ?? false,
        'is configured',
      )
      await forget(world.kube, { name: 'c1', namespace: 'default' })
      await world.until(minutes(2), 'there is another', async () => (await configuration('c1')) !== undefined)
      await when.passes(minutes(1))
      expect((await told(words)).filter(line => line.startsWith('InstalledAgain'))).toEqual([])
    }))
})

describe('an operation that a person asks for', () => {
  it('X-001 park and unpark are done by a server that can, and refused with its state by one that cannot', () =>
    story(async ({ then, world, server }) => {
      await expect(ask(world.kube, await server('srv-1'), 'unpark', ['Parked'])).rejects.toThrow(
        'Cannot ask for unpark: srv-1-system-0 is Available, and that is for Parked',
      )
      await ask(world.kube, await server('srv-1'), 'park', ['Available', 'Reserved'])
      await then.server('srv-1', minutes(5), ({ metadata }) => metadata.annotations?.['metal.ironcore.dev/parked'] === 'true', 'is parked')
      await expect(ask(world.kube, await server('srv-1'), 'park', ['Available', 'Reserved'])).rejects.toThrow('is Parked')
      await ask(world.kube, await server('srv-1'), 'unpark', ['Parked'])
      await then.server('srv-1', minutes(5), { state: 'Available' })
    }))
})
