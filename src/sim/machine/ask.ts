import type { Millis } from '../../core/duration.ts'
import type { Machine } from './machine.ts'
import type { WorldAnswer, WorldRequest } from './world.ts'

/** One request of this machine to the world outside; undefined where nobody answers in time. */
export async function ask(
  machine: Machine,
  request: Omit<WorldRequest, 'server' | 'headers'>,
  agent: string,
  within: Millis = 60_000,
): Promise<WorldAnswer | undefined> {
  const { clock, world } = machine.site
  if (!world) return undefined
  let cancel = (): void => {}
  const late = new Promise<undefined>(resolve => {
    cancel = clock.after(within, () => resolve(undefined))
  })
  const answer = world
    .fetch({
      ...request,
      server: machine.name,
      headers: { 'user-agent': agent, ...(request.body ? { 'content-type': 'application/json' } : {}) },
    })
    .catch(() => undefined)
  const first = await Promise.race([answer, late])
  cancel()
  return first
}
