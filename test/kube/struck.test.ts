import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PlannedFault, printPlan } from '../../src/sim/faults/fault.ts'
import { runPaced } from '../../src/sim/paced/run.ts'
import type { Run } from '../../src/sim/run.ts'
import { leases } from '../scenarios/metal/invariants.ts'
import { pacedMetal } from '../scenarios/metal/paced.ts'
import { blows, commands, installs, struckAt, takeover, works, wrongs } from '../scenarios/metal/struck.ts'
import { openRealCluster, type RealCluster } from './real-api.ts'

const bin = process.env['KUBEBUILDER_ASSETS']

/** Every third call, by turns; `RACKWRIGHT_STRIKES=all` strikes at each, which takes a quarter of an hour. */
const picked = (plans: readonly PlannedFault[], turn: number): readonly PlannedFault[] =>
  process.env['RACKWRIGHT_STRIKES'] === 'all' ? plans : plans.filter((_, n) => n % 3 === turn % 3)

/** Each run is a second or two, and there are hundreds. */
const patience = 900_000

/** One write more or less comes of two events that were seen as one: so many of the last calls may be missing from a second run. */
const chance = 2
const isUnreached = ({ violations }: Run): boolean => violations.some(words => words.startsWith('the run never came to'))

describe.skipIf(bin === undefined)('two processes on a real control plane, with time that waits, and the one that leads is struck', () => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await openRealCluster(bin ?? '', [{ of: leases, namespace: 'rackwright-system' }])
  })
  afterAll(() => cluster?.close())
  const play = (story: typeof installs, plan: readonly PlannedFault[] = []): Promise<Run> =>
    runPaced(story, { ...pacedMetal, seed: 'one', plan, api: () => cluster.api() })

  const strike = async (story: typeof installs, plans: readonly PlannedFault[], calm: Run): Promise<string> => {
    const wrong: string[] = []
    const unreached: string[] = []
    let longest = 0
    for (const fault of plans) {
      let run = await play(story, [fault])
      // The order of things over sockets is not ours: a call that did not come this time may come the next, or not at all.
      if (isUnreached(run)) run = await play(story, [fault])
      if (isUnreached(run)) {
        unreached.push(printPlan([fault]))
        continue
      }
      wrong.push(...wrongs(run, [fault], calm))
      longest = Math.max(longest, takeover(run) ?? 0)
    }
    expect(wrong).toEqual([])
    expect(unreached.length, unreached.join('; ')).toBeLessThanOrEqual(chance)
    return `${plans.length - unreached.length} calls of ${plans.length}, and the other leads after ${longest / 1_000} s at the latest`
  }

  describe(installs.name, () => {
    let calm: Run
    beforeAll(async () => {
      calm = await play(installs)
    })
    it('and nobody is struck', () => {
      expect(calm.violations).toEqual([])
      expect(commands(calm)).toEqual(['srv-1 On graceful'])
    })
    for (const [turn, blow] of blows.entries())
      it(
        `I16 I18 it is ${blow} at one call after the other: nothing is doubled or lost, and the other takes over within 15 s`,
        async () => {
          const plans = struckAt(calm, blow)
          expect(plans.length).toBeGreaterThan(40)
          console.log(`${blow}: ${await strike(installs, picked(plans, turn), calm)}`)
        },
        patience,
      )
  })

  describe(works.name, () => {
    let calm: Run
    beforeAll(async () => {
      calm = await play(works)
    })
    for (const [turn, blow] of blows.entries())
      it(
        `I16 I22 it is ${blow} at commands to the BMC and notes on the server and the maintenance`,
        async () => {
          const plans = struckAt(calm, blow).filter(({ call }) => /^(bmc\.(set|once|clear)|patch server(s|maintenances))/.test(call))
          expect(plans.length).toBeGreaterThan(20)
          console.log(`${blow}: ${await strike(works, picked(plans, turn), calm)}`)
        },
        patience,
      )
  })
})
