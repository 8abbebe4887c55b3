import { describe, expect, it } from 'vitest'
import { ask } from '../../src/cli/operation.ts'
import { minutes } from '../../src/core/duration.ts'
import { story } from './story.ts'

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
