import type { Controllers } from '../../src/runtime/index.ts'
import type { Running } from '../../src/sim/process.ts'

/**
 * Controllers as a process that a paced clock waits for. A reconcile that is under way does not count: it waits for a request, which the
 * clock counts by itself, or for a simulated delay, for which time must pass. Nor does a cache whose watch broke: only time brings it back.
 */
export const followed = (controllers: Controllers): Running => ({
  stop: () => controllers.stop(),
  caches: () => controllers.activity().caches.filter(({ interrupted }) => interrupted === undefined),
  busy() {
    const { queued, unseen, writing, caches } = controllers.activity()
    const missing = caches.filter(({ complete, interrupted }) => !complete && interrupted === undefined).map(({ of }) => of.plural)
    if (missing.length > 0) return `a cache of ${missing.join(', ')} is not complete`
    return queued + unseen + writing > 0 ? `controllers are at work: ${JSON.stringify({ queued, unseen, writing })}` : undefined
  },
})
