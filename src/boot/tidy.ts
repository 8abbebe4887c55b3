import { hours, type Millis } from '../core/duration.ts'
import type { Clock, Log } from '../ports/index.ts'
import type { BootServer } from './server.ts'

const every: Millis = hours(1)

/** Throws away, now and then, what no configuration boots any more. Nothing while it is not known what they boot. */
export async function keepTidy(
  ports: { readonly clock: Clock; readonly log: Log },
  server: Pick<BootServer, 'boots'>,
  shelf: { prune(wanted: (digest: string) => boolean): Promise<number> },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await ports.clock.sleep(every, signal).catch(() => {})
    const wanted = server.boots()
    if (signal.aborted || !wanted) continue
    const freed = await shelf
      .prune(digest => wanted.has(digest))
      .catch((error: unknown) => {
        ports.log.warn('The cache of images cannot be tidied', { because: error instanceof Error ? error.message : String(error) })
        return 0
      })
    if (freed > 0) ports.log.info('Threw away what no machine boots any more', { bytes: freed })
  }
}
