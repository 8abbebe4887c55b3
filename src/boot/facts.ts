import type { Facts, Fetched, Registration, What } from './kinds.ts'

/** What is known of an attempt: a set that only grows, so that what two have seen can be joined in any order. */
export const none = (attempt: number): Facts => ({ attempt })

export const fetchOf = (facts: Facts, what: What): Fetched | undefined => facts.fetches?.find(fetch => fetch.what === what)

export const withFetch = (facts: Facts, fetch: Fetched): Facts => joined(facts, { attempt: facts.attempt, fetches: [fetch] })

export const withReport = (facts: Facts, state: string, time: string): Facts =>
  joined(facts, { attempt: facts.attempt, reports: [{ state, time }] })

export const withRegistration = (facts: Facts, registration: Registration): Facts => ({ ...facts, registration })

/** `first` was there before: where both know something, its word stands. A later attempt replaces everything. */
export function joined(first: Facts, second: Facts): Facts {
  if (first.attempt !== second.attempt) return first.attempt > second.attempt ? first : second
  const fetches = [...(first.fetches ?? [])]
  for (const fetch of second.fetches ?? []) {
    const at = fetches.findIndex(({ what }) => what === fetch.what)
    if (at < 0) fetches.push(fetch)
    else fetches[at] = { ...fetch, ...fetches[at]! }
  }
  const reports = [...(first.reports ?? [])]
  for (const report of second.reports ?? []) if (!reports.some(({ state }) => state === report.state)) reports.push(report)
  const registration = second.registration ?? first.registration
  const refused = Math.max(first.refused ?? 0, second.refused ?? 0)
  return {
    attempt: first.attempt,
    ...(fetches.length > 0 ? { fetches } : {}),
    ...(reports.length > 0 ? { reports } : {}),
    ...(registration ? { registration } : {}),
    ...(refused > 0 ? { refused } : {}),
  }
}

/** As a merge patch: what an earlier attempt had and this one has not is taken away. */
export const patchOf = ({ attempt, fetches, reports, registration, refused }: Facts): object => ({
  attempt,
  fetches: fetches ?? null,
  reports: reports ?? null,
  registration: registration ?? null,
  refused: refused ?? null,
})
