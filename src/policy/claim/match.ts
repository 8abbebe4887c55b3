import { type Selector, selects } from '../../core/selector.ts'
import { type Taint, type Toleration, tolerates } from './toleration.ts'

/** What a claim asks for. Without a name and a selector any free server will do. */
export interface Wish {
  readonly server?: string
  readonly selector?: Selector
  readonly tolerations: readonly Toleration[]
}

/** What counts of a server when one is chosen. */
export interface Candidate {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly state: string | undefined
  /** Who has it already; `us` where that is the asking claim itself. */
  readonly taken: 'free' | 'us' | 'other'
  readonly held: boolean
  readonly deleting: boolean
  /** A job writes its firmware. */
  readonly updating: boolean
  /** Set aside by a person: it keeps what it has and takes nothing new. */
  readonly cordoned: boolean
  readonly taints: readonly Taint[]
}

/** Why a server does not fit, in the order in which it is asked. */
export type Obstacle =
  | 'is another one'
  | 'does not match the selector'
  | 'is being deleted'
  | 'is claimed'
  | 'is in maintenance'
  | 'is being updated'
  | 'is cordoned'
  | 'is not available yet'
  | 'is tainted'

export type Match =
  | { readonly fits: true; readonly server: string }
  | { readonly fits: false; readonly because: string; readonly counts: ReadonlyMap<Obstacle, number> }

export function obstacle(wish: Wish, candidate: Candidate): Obstacle | undefined {
  if (wish.server !== undefined && wish.server !== candidate.name) return 'is another one'
  if (wish.selector && !selects(wish.selector, candidate.labels)) return 'does not match the selector'
  // What is ours stays ours, whatever has become of it since.
  if (candidate.taken === 'us') return undefined
  if (candidate.deleting) return 'is being deleted'
  if (candidate.taken === 'other') return 'is claimed'
  if (candidate.held) return 'is in maintenance'
  if (candidate.updating) return 'is being updated'
  if (candidate.cordoned) return 'is cordoned'
  if (candidate.state !== 'Available') return 'is not available yet'
  return candidate.taints.some(taint => !tolerates(wish.tolerations, taint)) ? 'is tainted' : undefined
}

/** Whether a change of a server could matter to a waiting claim: a server that it could never take wakes nobody. */
export const concerns = (wish: Wish, candidate: Pick<Candidate, 'name' | 'labels'>): boolean =>
  (wish.server === undefined || wish.server === candidate.name) && (!wish.selector || selects(wish.selector, candidate.labels))

/**
 * Chooses a server, or says how many stand in the way of what. Among those that fit, `rank` decides (lowest first, then by name),
 * so that claims that come together do not all run for the same one.
 */
export function match(wish: Wish, candidates: readonly Candidate[], rank: (server: string) => number): Match {
  const counts = new Map<Obstacle, number>()
  let best: { readonly name: string; readonly rank: number } | undefined
  for (const candidate of candidates) {
    const found = obstacle(wish, candidate)
    if (found !== undefined) {
      counts.set(found, (counts.get(found) ?? 0) + 1)
      continue
    }
    if (candidate.taken === 'us') return { fits: true, server: candidate.name }
    const place = { name: candidate.name, rank: rank(candidate.name) }
    if (!best || place.rank < best.rank || (place.rank === best.rank && place.name < best.name)) best = place
  }
  if (best) return { fits: true, server: best.name }
  return { fits: false, because: sentence(wish, candidates.length, counts), counts }
}

function sentence(wish: Wish, total: number, counts: ReadonlyMap<Obstacle, number>): string {
  if (total === 0) return 'there are no servers'
  if (wish.server !== undefined) {
    const own = [...counts.keys()].find(key => key !== 'is another one')
    return own === undefined ? `there is no server ${wish.server}` : `server ${wish.server} ${own}`
  }
  const parts = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([key, n]) => `${n} ${n === 1 ? key : key.replace(/^is /, 'are ').replace(/^does /, 'do ')}`)
  return `0 of ${total} servers fit: ${parts.join(', ')}`
}
