import { claims, maintenances } from '../../../src/controllers/metal/resources.ts'
import { type Millis, minutes, seconds } from '../../../src/core/duration.ts'
import type { Entry } from '../../../src/sim/action-log.ts'
import type { Mode, PlannedFault } from '../../../src/sim/faults/fault.ts'
import { printPlan } from '../../../src/sim/faults/fault.ts'
import type { Run } from '../../../src/sim/run.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { leases } from './invariants.ts'
import { metalLease, metalProgram } from './program.ts'
import { metalSetting, twoMetalProcesses } from './setting.ts'
import { backOnDisk } from './stories.ts'

/** Two processes, and what really happened to the machine as part of the end: it must be the same, whoever is struck and when. */
const setting: typeof metalSetting = {
  ...twoMetalProcesses,
  program: (ports, lab) => metalProgram(ports, lab, { lease: metalLease }),
  rest: minutes(2),
  end: sight => ({
    ...(metalSetting.end(sight) as object),
    // What may never be doubled or lost, whatever else it took.
    installed: sight.devices.happened.filter(({ what }) => what === 'installed').length,
    network: sight.devices.happened.filter(event => event.what === 'boots' && event.from === 'UefiHttp').length,
  }),
}
const contest = scenarios(setting)

const leads = (name: string) => ({
  words: `${name} leads`,
  so: (sight: { objects(of: typeof leases): readonly object[] }): boolean =>
    sight.objects(leases).some(lease => holderOf(lease as { readonly spec?: unknown }) === name),
})
const holderOf = ({ spec }: { readonly spec?: unknown }): unknown =>
  (spec as { readonly holderIdentity?: string } | undefined)?.holderIdentity

export const installs = contest(
  'of two processes the one that leads installs a server',
  async ({ given, then, server, bmc, claims: claim, is, runsFromDisk }) => {
    await server('srv-1')
    await bmc('srv-1')
    given.processes('a')
    await then.within(minutes(1)).sees(leads('a').words, leads('a').so as never)
    given.processes('b')
    await claim()
    await runsFromDisk('srv-1', minutes(20))
    await is('srv-1', 'Reserved', minutes(5), ({ status }) => status?.boot?.outcome === 'Installed')
  },
)

export const works = contest(
  'of two processes the one that leads boots a maintenance, and the disk afterwards',
  async ({ given, when, then, installed, maintains, runsLive, is, isQuiet, claimKey, workKey }) => {
    await installed('srv-1')
    given.processes('a')
    await then.within(minutes(1)).sees(leads('a').words, leads('a').so as never)
    given.processes('b')
    await maintains('srv-1', 'OwnerApproval')
    await when.passes(seconds(30))
    await when.changes(claims, claimKey, { metadata: { labels: { 'metal.ironcore.dev/maintenance-approved': 'true' } } })
    await runsLive('srv-1', minutes(15))
    await when.removes(maintenances, workKey)
    await is('srv-1', 'Reserved', minutes(15), backOnDisk)
    await isQuiet('srv-1', minutes(1))
  },
)

export const blows = ['killed', 'frozen', 'cut off'] as const
export type Blow = (typeof blows)[number]

const modeOf = (blow: Blow, reads: boolean): Mode => {
  if (blow === 'killed') return reads ? 'crash before' : 'crash after'
  return blow === 'frozen' ? 'stopped' : 'cut off'
}

/** Renewals of the Lease are all alike: the first stands for them. */
export function struckAt({ passed, told, entries }: Run, blow: Blow): readonly PlannedFault[] {
  const contested = entries.findIndex(({ what, call, by }) => what === 'life' && call === 'starts' && by === 'b')
  return passed
    .slice(0, told)
    .filter(({ by, kind, entry }) => by === 'a' && kind !== 'watch event' && entry > contested)
    .filter(({ call }, index, all) => !call.includes(' leases') || all.findIndex(other => other.call === call) === index)
    .map(({ by, call, nth, kind }) => ({ by, call, nth, mode: modeOf(blow, kind === 'device read') }))
}

/** How long nobody led after the blow; undefined where the struck one was followed by nobody. */
export function takeover({ entries }: Run): Millis | undefined {
  const struck = entries.find(({ what }) => what === 'fault')
  const taken = entries.find(entry => struck && entry.at >= struck.at && isTaken(entry))
  return struck && taken && taken.at - struck.at
}

const isTaken = ({ what, by, call, detail }: Entry): boolean =>
  what === 'asks' &&
  by !== 'a' &&
  call === `patch leases ${metalLease.namespace}/${metalLease.name}` &&
  (detail as { readonly spec?: { readonly acquireTime?: string } }).spec?.acquireTime !== undefined

/** What was done to the hardware, by whomever: commands that took effect. */
export const commands = ({ entries }: Run): readonly string[] => {
  const asked = new Map<string, string>()
  return entries.flatMap(({ what, by, call, nth, detail }) => {
    if (call !== 'bmc.set') return []
    if (what === 'asks') asked.set(`${by} ${nth}`, (detail as readonly string[]).join(' '))
    return what === 'effect' ? [asked.get(`${by} ${nth}`) ?? ''] : []
  })
}

/**
 * The installer ends while nobody leads: nobody arms the disk for its reboot, the machine stops in its shell, and is cycled to its disk
 * once by whoever leads next. Nothing else may be commanded beyond what is when nobody is struck.
 */
const cycled = ['srv-1 Off forced', 'srv-1 On graceful']
const isInOrder = (done: readonly string[], calm: readonly string[]): boolean =>
  done.join() === calm.join() || (calm.length === 1 && done.join() === [...calm, ...cycled].join())

/** What is wrong with a run in which the leader was struck, beside one in which nobody was. */
export function wrongs(run: Run, plan: readonly PlannedFault[], calm: Run): readonly string[] {
  const after = takeover(run)
  const wrong = [
    ...run.violations,
    ...(run.end === calm.end ? [] : ['it does not end as it does when nobody is struck']),
    ...(after !== undefined && after <= seconds(15) ? [] : [`the other takes over after ${after} ms`]),
    ...(isInOrder(commands(run), commands(calm)) ? [] : [`commanded was ${commands(run).join(', ')}`]),
  ]
  return wrong.map(words => `${printPlan(plan)}: ${words}`)
}
