import { hours, minutes } from '../../core/duration.ts'
import { parseInstant } from '../../core/instant.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Api } from '../call.ts'
import type { Chores } from './chores.ts'

const kept = hours(1)
const sweepEvery = minutes(5)

/** Events live for an hour after they were last seen, as in Kubernetes. */
export function keepEvents(api: Api, chores: Chores): () => void {
  let cancel = (): void => {}
  const sweep = (): void => {
    chores.do('old events', () => removeOld(api))
    cancel = api.clock.after(sweepEvery, sweep)
  }
  cancel = api.clock.after(sweepEvery, sweep)
  return () => cancel()
}

async function removeOld(api: Api): Promise<void> {
  const before = api.clock.now() - kept
  const old = api.world.list('/events').filter(entry => lastSeen(entry.object) < before)
  await Promise.all(
    old.map(entry =>
      api.world.write('/events', entry.key, current =>
        current && lastSeen(current.object) < before ? { remove: current.object } : { keep: current ?? entry },
      ),
    ),
  )
}

function lastSeen(event: KubeObject): number {
  const series = isObject(event['series']) ? event['series']['lastObservedTime'] : undefined
  const times = [event.metadata.creationTimestamp, event['lastTimestamp'], event['eventTime'], series]
  return Math.max(...times.map(time => (typeof time === 'string' ? (parseInstant(time) ?? 0) : 0)))
}
