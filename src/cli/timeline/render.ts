import { parseInstant } from '../../core/instant.ts'
import { clockTime } from '../output/age.ts'
import type { Paint } from '../output/paint.ts'
import type { BootStory, Moment } from './boots.ts'

export function renderBoots(server: string, boots: readonly BootStory[], paint: Paint): string {
  if (boots.length === 0) return `Nothing is known of a boot of ${server}.`
  const widest = widestOf(boots.flatMap(({ moments }) => moments))
  return boots
    .flatMap(({ boot, moments }) => [
      paint.bold(boot === 0 ? `${server}, before its first known boot` : `${server}, boot ${boot}`),
      ...moments.map(moment => lineOf(moment, widest, paint)),
    ])
    .join('\n')
}

export const renderMoments = (title: string, moments: readonly Moment[], paint: Paint): string =>
  moments.length === 0
    ? `Nothing is known of ${title} yet.`
    : [paint.bold(title), ...moments.map(moment => lineOf(moment, widestOf(moments), paint))].join('\n')

const widestOf = (moments: readonly Moment[]): number => Math.max(...moments.map(({ what }) => what.length))

function lineOf({ at, what, says, bad }: Moment, widest: number, paint: Paint): string {
  const time = parseInstant(at)
  const words = what.padEnd(widest)
  return `  ${paint.dim(time === undefined ? '--:--:--' : clockTime(time))}  ${bad ? paint.red(words) : paint.cyan(words)}  ${says}`
}
