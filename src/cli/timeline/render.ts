import { parseInstant } from '../../core/instant.ts'
import { clockTime } from '../output/age.ts'
import type { Paint } from '../output/paint.ts'
import type { BootStory } from './boots.ts'

export function renderBoots(server: string, boots: readonly BootStory[], paint: Paint): string {
  if (boots.length === 0) return `Nothing is known of a boot of ${server}.`
  const widest = Math.max(...boots.flatMap(({ moments }) => moments.map(({ what }) => what.length)))
  return boots
    .flatMap(({ boot, moments }) => [
      paint.bold(boot === 0 ? `${server}, before its first known boot` : `${server}, boot ${boot}`),
      ...moments.map(({ at, what, says, bad }) => {
        const time = parseInstant(at)
        const words = what.padEnd(widest)
        return `  ${paint.dim(time === undefined ? '--:--:--' : clockTime(time))}  ${bad ? paint.red(words) : paint.cyan(words)}  ${says}`
      }),
    ])
    .join('\n')
}
