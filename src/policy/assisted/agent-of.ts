/** What of an Agent tells whose it is. */
export interface Candidate {
  readonly created: string
  readonly macs: readonly string[]
}

/** The Agent that runs on a machine with one of these addresses: the newest, where a machine was installed before. */
export function agentOf<C extends Candidate>(agents: readonly C[], macs: readonly string[]): C | undefined {
  const own = new Set(macs.map(mac => mac.toLowerCase()))
  return agents
    .filter(({ macs: theirs }) => theirs.some(mac => own.has(mac.toLowerCase())))
    .toSorted((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : 0))[0]
}
