/**
 * Which servers the claims of this process have their eye on, before the caches show it. Others look elsewhere first, so that a storm of
 * claims loses few races. A courtesy: what it says decides nothing but the order in which servers are looked at.
 */
export interface Eyed {
  /** Whether another claim has its eye on this server. */
  byAnother(server: string, claim: string): boolean
  /** The claim looks at this server now, or at none any more. */
  note(claim: string, server: string | undefined): void
}

export function openEyed(): Eyed {
  const claimOf = new Map<string, string>()
  const serverOf = new Map<string, string>()
  return {
    byAnother: (server, claim) => (claimOf.get(server) ?? claim) !== claim,
    note(claim, server) {
      const before = serverOf.get(claim)
      if (before !== undefined && claimOf.get(before) === claim) claimOf.delete(before)
      serverOf.delete(claim)
      if (server === undefined) return
      claimOf.set(server, claim)
      serverOf.set(claim, server)
    },
  }
}
