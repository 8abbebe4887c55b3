import type { Health } from './controllers.ts'
import type { Informer } from './informer.ts'
import { resourceText } from './keys.ts'

/** A standby is healthy; a process that hears nothing of what it should look after is not. */
export function healthOf(state: 'new' | 'running' | 'stopped', leader: boolean, informers: readonly Informer[]): Health {
  const because = informers.flatMap(({ of, ready, interrupted }) => {
    if (interrupted !== undefined) return [`nothing is heard of ${resourceText(of)}: ${interrupted}`]
    return ready ? [] : [`the cache of ${resourceText(of)} is not whole yet`]
  })
  if (state !== 'running') because.unshift(state === 'new' ? 'the controllers were not started' : 'the controllers are stopped')
  return { ok: because.length === 0, leader, because }
}
