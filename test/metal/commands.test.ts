import { describe, expect, it } from 'vitest'
import { wish } from '../../src/cli/commands/power.ts'
import { ask } from '../../src/cli/operation.ts'
import { minutes } from '../../src/core/duration.ts'
import { story } from './story.ts'

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
