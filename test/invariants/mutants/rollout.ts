import type { FleetReconciler } from '../../scenarios/firmware/rollout.ts'
import type { RolloutMutant } from './mutant.ts'

type Seen = Parameters<FleetReconciler['decide']>[0]
const seeing = (name: string, bad: string, otherwise: (seen: Seen) => Seen): RolloutMutant => ({
  name,
  bad,
  rollout: { remakeSet: one => ({ ...one, decide: (seen, now) => one.decide(otherwise(seen), now) }) },
})

/** Mistakes that somebody could make about a fleet. */
export const rolloutMutants: readonly RolloutMutant[] = [
  seeing('a rollout without anybody who goes first', 'a firmware that breaks machines breaks all of them', seen => ({
    ...seen,
    set: { ...seen.set, rules: { ...seen.set.rules, canary: 0, maxUnavailable: '100%' } },
  })),
  seeing('a rollout that goes on after a failure', 'a firmware that breaks machines breaks all of them', seen => ({
    ...seen,
    servers: seen.servers.map(server =>
      server.member?.failure === undefined ? server : { ...server, member: { ...server.member, told: true, inSync: true } },
    ),
  })),
  seeing('those who go first chosen anew at every look', 'one after the other goes first, until all have', seen => ({
    ...seen,
    state: { ...seen.state, canaries: [] },
    servers: seen.servers.filter(({ member }) => member?.told !== true),
  })),
]
