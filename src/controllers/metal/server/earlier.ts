import type { Seen } from './seen.ts'

/** So many boots before the last one are kept: enough to see what led to it, and no list that grows. */
const most = 5

/** What is remembered of the boots before, once another one is noted: written with its note, so it costs no write of its own. */
export function earlierBoots({ boot, earlier, configuration }: Pick<Seen, 'boot' | 'earlier' | 'configuration'>) {
  if (!boot) return {}
  const { attempt, purpose, method, configuration: of, opened, asked, reset, outcome, because } = boot
  const seen = configuration?.served?.attempt === attempt ? configuration.served : undefined
  const served = (seen?.fetches ?? []).flatMap(({ what, done }) => (done === undefined ? [] : [{ what, time: done }])).slice(0, 8)
  const reported = (seen?.reports ?? []).slice(0, 8).map(({ state, time }) => ({ state, time }))
  const told = {
    attempt,
    purpose,
    method,
    opened,
    ...(of ? { configuration: `${of.namespace}/${of.name}` } : {}),
    ...(asked === undefined ? {} : { asked }),
    ...(reset === undefined ? {} : { reset }),
    ...(served.length > 0 ? { served } : {}),
    ...(reported.length > 0 ? { reported } : {}),
    ...(outcome === undefined ? {} : { outcome }),
    ...(because === undefined ? {} : { because }),
  }
  return { earlierBoots: [...earlier, told].slice(-most) }
}
