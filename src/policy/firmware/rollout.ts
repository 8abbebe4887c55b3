/** What a rollout may do at once, and when it stops. */
export interface RolloutRules {
  readonly canary: number
  readonly maxUnavailable: string | number
  readonly pauseAfterFailures: number
  readonly paused: boolean
}

/** One selected server, as far as its turn depends on it. */
export interface Candidate {
  readonly name: string
  /** Servers of one group are alike: canaries are taken from every group before a second of any. */
  readonly group: string
  /**
   * `scanning`: not known yet. `as-wanted`: nothing would change. `different`: would be changed, and has not been told to. `told`: has
   * been told, and is not there yet. `failed`: was told, and its jobs fail. `held`, `overridden`: is none of this rollout's business.
   */
  readonly is: 'scanning' | 'as-wanted' | 'different' | 'told' | 'failed' | 'held' | 'overridden'
  /** Whether it could be changed right now; otherwise it keeps its turn without taking a place. */
  readonly free: boolean
  /** It is being scanned, and that does not work: nobody waits for it. */
  readonly mute?: boolean
}

export interface RolloutState {
  /** Those that go first, as chosen before; kept while they are selected. */
  readonly canaries: readonly string[]
  /** Those whose failure somebody has taken note of. */
  readonly accepted: readonly string[]
}

export interface RolloutStep {
  readonly phase: 'Canary' | 'Rolling' | 'Paused' | 'Done'
  readonly canaries: readonly string[]
  /** Whose turn it is now. */
  readonly tell: readonly string[]
  readonly because: string
}

/** Which servers are told next. Pure: the same fleet gives the same turn. */
export function nextTurn(rules: RolloutRules, fleet: readonly Candidate[], state: RolloutState): RolloutStep {
  const ours = fleet.filter(({ is }) => is !== 'held' && is !== 'overridden')
  const failures = ours.filter(({ name, is }) => is === 'failed' && !state.accepted.includes(name))
  const { canaries, awaited } = chooseCanaries(rules.canary, ours, state.canaries)
  const step = (phase: RolloutStep['phase'], because: string, tell: readonly string[] = []): RolloutStep => ({
    phase,
    because,
    canaries,
    tell,
  })
  const names = failures.map(({ name }) => name)
  if (failures.length >= rules.pauseAfterFailures) {
    const where = names.every(name => canaries.includes(name)) ? ' among those that go first' : ''
    return step('Paused', `${listed(names)} failed${where}: nothing more is started`)
  }
  if (rules.paused) return step('Paused', 'it is paused, as its spec says')
  const open = ours.filter(({ is }) => is === 'different' || is === 'told' || is === 'scanning')
  if (open.length === 0) return step('Done', 'every server that it is for is as wanted')
  const going = new Set(canaries)
  const first = ours.filter(({ name }) => going.has(name))
  const proven =
    awaited.length === 0 && first.every(({ is, name }) => is === 'as-wanted' || (is === 'failed' && state.accepted.includes(name)))
  const places = placesOf(rules.maxUnavailable, ours.length)
  const taken = ours.filter(({ is, free }) => (is === 'told' && free) || is === 'failed').length
  const waiting = (proven ? ours : first).filter(({ is, free }) => is === 'different' && free)
  const tell = waiting
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, Math.max(0, places - taken))
    .map(({ name }) => name)
  if (!proven) {
    const there = `${first.filter(({ is }) => is === 'as-wanted').length} of ${first.length} that go first are as wanted`
    const yet =
      awaited.length === 0 ? '' : `; waits for the first scan of a server of ${listed(awaited.map(group => group || 'an unknown model'))}`
    return step('Canary', `${there}${yet}`, tell)
  }
  return step('Rolling', `${ours.filter(({ is }) => is === 'as-wanted').length} of ${ours.length} servers are as wanted`, tell)
}

/**
 * Those that were chosen stay chosen. The others are taken group by group: a model that breaks shows before its second machine. A group that
 * nobody has been chosen from and that is still being scanned has a place kept for it: `awaited`.
 */
function chooseCanaries(count: number, ours: readonly Candidate[], before: readonly string[]) {
  const there = new Map(ours.map(({ name, group }) => [name, group]))
  const kept = before.filter(name => there.has(name))
  const taken = new Set(kept)
  const represented = new Set(kept.map(name => there.get(name)))
  const groups = new Map<string, string[]>()
  for (const { name, group, is } of ours.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (taken.has(name) || (is !== 'different' && is !== 'told' && is !== 'failed')) continue
    const names = groups.get(group)
    if (names) names.push(name)
    else groups.set(group, [name])
  }
  const chosen = [...kept]
  for (const [group, names] of groups)
    if (!represented.has(group) && chosen.length < count) {
      represented.add(group)
      chosen.push(names.shift()!)
    }
  const scanned = ours.filter(({ is, mute, group }) => is === 'scanning' && mute !== true && !represented.has(group))
  const awaited = [...new Set(scanned.map(({ group }) => group))].toSorted().slice(0, Math.max(0, count - chosen.length))
  while (chosen.length < count - awaited.length) {
    const queues = [...groups.values()].filter(names => names.length > 0)
    if (queues.length === 0) break
    for (const names of queues) if (chosen.length < count - awaited.length) chosen.push(names.shift()!)
  }
  return { canaries: chosen, awaited }
}

/** A share is rounded down, and one is always allowed: nothing would ever begin otherwise. */
export function placesOf(max: string | number, total: number): number {
  if (typeof max === 'number') return Math.max(1, max)
  return Math.max(1, Math.floor((Number.parseInt(max, 10) / 100) * total))
}

const listed = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
