import { seconds } from '../../src/core/duration.ts'
import type { Clock } from '../../src/ports/index.ts'

/** People try again while the API server is away. */
export async function insist(clock: Clock, what: () => Promise<void>): Promise<void> {
  for (let i = 0; i < 60; i++) {
    try {
      return await what()
    } catch {
      await clock.sleep(seconds(1))
    }
  }
}
