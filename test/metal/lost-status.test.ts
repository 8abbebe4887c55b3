import { expect, it } from 'vitest'
import { servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { story } from './story.ts'

/** As after a restore or a move that forgot it: upstream sent such a server back through discovery, over a running system. */
it('I1 I4 a claimed server whose status is lost is not discovered, switched or booted anew: what runs goes on, and its claim has it', () =>
  story(async ({ when, then, happened, world }) => {
    await when.claims('c1')
    await then.server('srv-1', minutes(30), { state: 'Reserved', boot: { step: 'Ended', outcome: 'Installed' } as never })
    const before = happened('srv-1').length
    const key = { name: 'srv-1-system-0' }
    await world.kube.patch(servers, key, { json: [{ op: 'remove', path: '/status' }] }, { subresource: 'status' })
    await when.passes(minutes(60))
    expect(happened('srv-1').slice(before)).toEqual([])
    expect(world.rack.machine('srv-1').power).toBe('On')
    await then.server('srv-1', minutes(5), ({ spec, status }) => spec.serverClaimRef?.name === 'c1' && status?.state === 'Reserved')
  }))
