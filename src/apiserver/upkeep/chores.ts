import { ApiError } from '../../api/status.ts'
import { seconds } from '../../core/duration.ts'
import type { Clock, Log } from '../../ports/index.ts'

/** Work that follows from changes: by name, one run of a name at a time, asked again while running means run again. */
export interface Chores {
  do(name: string, work: () => Promise<void>): void
  stop(): void
}

const firstRetry = seconds(1)
const longestRetry = seconds(60)

export function openChores(clock: Clock, log: Log): Chores {
  const again = new Map<string, boolean>()
  const retries = new Map<string, () => void>()
  let stopped = false

  async function run(name: string, work: () => Promise<void>, wait: number): Promise<void> {
    again.set(name, true)
    try {
      while (again.get(name) && !stopped) {
        again.set(name, false)
        await work()
      }
      again.delete(name)
    } catch (error) {
      again.delete(name)
      if (stopped) return
      // A lost race shows as a conflict and is no news; anything else is.
      if (!ApiError.is(error, 'Conflict'))
        log.warn('Upkeep of the API is delayed', {
          chore: name,
          error: error instanceof Error ? error.message : String(error),
          retryMs: wait,
        })
      retries.set(
        name,
        clock.after(wait, () => {
          retries.delete(name)
          void run(name, work, Math.min(wait * 2, longestRetry))
        }),
      )
    }
  }

  return {
    do(name, work) {
      if (stopped) return
      retries.get(name)?.()
      retries.delete(name)
      if (again.has(name)) again.set(name, true)
      else void run(name, work, firstRetry)
    },
    stop() {
      stopped = true
      for (const cancel of retries.values()) cancel()
      retries.clear()
    },
  }
}

/** For `catch`: what is gone needs no more looking after. */
export function ifGone(error: unknown): undefined {
  if (!ApiError.is(error, 'NotFound')) throw error
}
