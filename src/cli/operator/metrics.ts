import type { Keeper } from './keeper.ts'

/** The metrics of every role's controllers, and which roles only observe. */
export async function keeperMetrics(keeper: Keeper): Promise<string> {
  const states = keeper.states()
  const lines = [
    '# HELP rackwright_observe_only Roles whose objects somebody else looks after: nothing is written to them',
    '# TYPE rackwright_observe_only gauge',
    ...states.map(({ role, stance }) => `rackwright_observe_only{role="${role.name}"} ${stance?.is === 'act' ? 0 : 1}`),
  ]
  const parts = await Promise.all(states.map(async ({ work }) => (work ? work.metrics() : '')))
  return [...lines, ...parts.filter(part => part !== '')].join('\n')
}

/** Standing by is no fault, and neither is leaving the work to somebody else. */
export const keeperUnready = (keeper: Keeper): readonly string[] =>
  keeper.states().flatMap(({ role, stance, work }) => {
    if (!stance) return [`${role.name}: it was not looked yet who else is there`]
    return (work?.health().because ?? []).map(because => `${role.name}: ${because}`)
  })
