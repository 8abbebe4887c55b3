import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Millis } from '../core/duration.ts'
import type { Clock } from '../ports/index.ts'
import type { Home } from './home.ts'

const markOf = (home: Home): string => join(home.data, 'restored')

/** The next start looks at everything once before it touches anything. */
export const markRestored = (home: Home): void => writeFileSync(markOf(home), '', { mode: 0o600 })
export const isRestored = (home: Home): boolean => existsSync(markOf(home))

const look: Millis = 500

/** Says whether to look on only: until everything was looked at once. The mark goes then, so that a crash before it begins anew. */
export function firstLook(home: Home, clock: Clock): { readonly looksOn: () => boolean; begin(settled: () => boolean): () => void } {
  let only = isRestored(home)
  let cancel = (): void => {}
  return {
    looksOn: () => only,
    begin(settled) {
      const again = (): void => {
        if (!settled()) {
          cancel = clock.after(look, again)
          return
        }
        only = false
        rmSync(markOf(home), { force: true })
      }
      if (only) cancel = clock.after(look, again)
      return () => cancel()
    },
  }
}
