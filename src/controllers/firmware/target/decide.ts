import { type Condition, isFalse, isTrue, isUnknown } from '../../../core/condition.ts'
import { type Instant, minutes, seconds } from '../../../core/duration.ts'
import { printInstant } from '../../../core/instant.ts'
import { act, idle, type Plan, wait } from '../../../core/plan.ts'
import { scanDue } from '../../../policy/firmware/scan-due.ts'
import { farewell, giveBack } from './give-back.ts'
import { jobNews } from './job-news.ts'
import type { Seen, SeenServer } from './seen.ts'
import type { Difference, Program } from './subject.ts'
import { heldBack } from './trouble.ts'
import type { Verb } from './verbs.ts'

/** Running job, scan, Available, version, settings: in the order of the proposal, one step per look. */
export function decide(seen: Seen, now: Instant): Plan<Verb> {
  const plan = decided(seen, now)
  const { surplus } = seen.target
  return Object.keys(surplus).length === 0 ? plan : { ...plan, status: { ...surplus, ...plan.status } }
}

function decided(seen: Seen, now: Instant): Plan<Verb> {
  const { target, rival, server } = seen
  if (target.deleting) return farewell(seen)
  if (rival !== undefined && seen.movedFrom === undefined) {
    const because = `${rival} is older and about the same server: only one object may be`
    return idle(because, { status: { conditions: [isFalse('Accepted', 'AnotherIsOlder', because)] } })
  }
  const news = jobNews(seen, now)
  if (news) return news
  if (seen.movedFrom !== undefined) return moved(seen, seen.movedFrom)
  if (!server) return stays(seen, 'NoServer', 'there is no such server')
  if (!server.refers) return act(`server ${server.name} refers back to it`, [{ do: 'refer' }], { status: { conditions: [accepted] } })
  if (target.retryAsked)
    return act('what failed is tried again, as asked', [{ do: 'takeOperation' }], {
      status: Object.fromEntries(
        (['trouble', 'scanTrouble'] as const)
          .filter(field => target[field] !== undefined)
          .map(field => [field, { failures: 1, next: printInstant(now) }]),
      ),
    })
  if (target.scanAsked) {
    const plan = scans(seen, 'somebody asked for it', now)
    return plan.actions.length === 0 ? plan : { ...plan, actions: [...plan.actions, { do: 'takeOperation' }] }
  }
  return afterJobs(seen, server, now)
}

/** Nothing is done for another server; what a job had of the first one is given back. */
function moved(seen: Seen, from: string): Plan<Verb> {
  const back = giveBack(seen)
  if (back) return back
  const because = `it was made for server ${from}: serverRef cannot be changed; set it back, or delete it and make another`
  return idle(because, { status: { conditions: [isFalse('Accepted', 'ServerRefChanged', because)] } })
}

const accepted = isTrue('Accepted', 'Only', '')
const notScanned = isUnknown('InSync', 'NotScanned', 'the server has not been asked yet')

function afterJobs(seen: Seen, server: SeenServer, now: Instant): Plan<Verb> {
  const { target } = seen
  const [first] = target.differences
  const due = scanDue({ ...target.scan, now })
  const way = first && target.known ? wayTo(seen, server, first, now) : undefined
  // What a job has left behind is given back first, unless the next job follows at once.
  if (server.updater?.ours && !(way?.is === 'open' && !due.due)) {
    const back = giveBack(seen)
    if (back) return back
  }
  if (due.due) return scans(seen, due.because, now)
  if (!target.known && target.scan.lastScanTime === undefined)
    return wait('many have never been scanned: its first scan comes in its turn', due.in, {
      status: { conditions: [accepted, notScanned] },
    })
  if (!target.known) return scans(seen, 'a scan has told nothing yet', now)
  const synced = settledScan(seen)
  if (!first)
    return wait('everything is as wanted', due.in, {
      status: { conditions: [accepted, ...synced, isTrue('InSync', 'AsWanted', '')], ...over(seen) },
      events: target.stands['InSync'] === 'False' ? [{ type: 'Normal', reason: 'InSync', message: 'everything is as wanted' }] : [],
    })
  if (way?.is !== 'open') {
    const because = `${first.text}: ${way?.because ?? 'it is not known yet'}`
    return wait(because, Math.min(due.in, way?.again ?? due.in), {
      status: { conditions: [accepted, ...synced, isFalse('InSync', way?.reason ?? 'Waiting', because)] },
    })
  }
  return updates(seen, server, first, way.maintenance, synced)
}

type Way =
  | { readonly is: 'open'; readonly maintenance: { readonly namespace: string; readonly name: string } | undefined }
  | { readonly is: 'closed'; readonly reason: string; readonly because: string; readonly again?: number }

/** Whether an update may begin: the server is Available, or in a maintenance that was made for it; otherwise everything stops here. */
function wayTo(seen: Seen, server: SeenServer, { program }: Difference, now: Instant): Way {
  const closed = (reason: string, because: string, again?: number): Way => ({
    is: 'closed',
    reason,
    because,
    ...(again === undefined ? {} : { again }),
  })
  const held = heldBack(seen, program, now)
  if (held) return closed(held.again === Infinity ? 'GaveUp' : 'Failed', held.because, held.again)
  if (server.deleting) return closed('ServerGoes', `server ${server.name} is being deleted`)
  if (server.updater && !server.updater.ours) return closed('ServerUpdated', `job ${server.updater.job} updates server ${server.name}`)
  const { maintenance } = server
  if (maintenance?.ours && server.state === 'Maintenance') {
    if (server.power !== 'Off') return closed('ServerNotOff', `waits for server ${server.name} to be off in its maintenance`)
    return ready(seen, { namespace: maintenance.namespace, name: maintenance.name })
  }
  if (server.state !== 'Available' || server.claim !== undefined || maintenance) {
    const why = server.claim === undefined ? `is ${server.state}` : `is ${server.state}, claimed by ${server.claim}`
    return closed('ServerNotAvailable', `server ${server.name} ${why}; nothing is updated before it is Available`)
  }
  return ready(seen, undefined)
}

function ready({ target, runner }: Seen, maintenance: Extract<Way, { is: 'open' }>['maintenance']): Way {
  if (!runner) return { is: 'closed', reason: 'NoJobRunner', because: 'no JobRunner is for it, and there is no default' }
  // Whoever was stopped looks around once more before it starts again.
  const rest = seconds(30) - target.lastJobFor
  if (target.lastJob?.outcome === 'Stopped' && rest > 0)
    return { is: 'closed', reason: 'Stopped', because: `its job was stopped: ${target.lastJob.message ?? 'no reason given'}`, again: rest }
  return { is: 'open', maintenance }
}

function scans(seen: Seen, because: string, now: Instant): Plan<Verb> {
  const { target, names, runner, full } = seen
  const program = Object.keys(names).find(name => name.endsWith('-scan')) as Program
  const held = heldBack(seen, program, now)
  const known: readonly Condition[] = target.known ? [] : [notScanned]
  if (held) {
    const why = `it cannot be scanned: ${held.because}`
    return wait(why, held.again, { status: { conditions: [accepted, ...known, isFalse('Scanned', 'ScanFailed', why)] } })
  }
  if (!runner) {
    const why = 'it cannot be scanned: no JobRunner is for it, and there is no default'
    return wait(why, minutes(1), { status: { conditions: [accepted, ...known, isFalse('Scanned', 'NoJobRunner', why)] } })
  }
  if (full !== undefined) return wait(`it is to be scanned: ${full} jobs run already`, seconds(10))
  return act(`starts a scan: ${because}`, [{ do: 'createJob', program, job: names[program]! }], {
    status: target.stands['Accepted'] === undefined ? { conditions: [accepted, ...known] } : {},
  })
}

/** Takes back what was in the way; says nothing where nothing was. */
const settledScan = ({ target }: Seen): readonly Condition[] => [
  ...(target.stands['Scanned'] === 'False' ? [isTrue('Scanned', 'Answered', '')] : []),
  ...(target.stands['JobRuns'] === 'False' ? [isTrue('JobRuns', 'Begun', '')] : []),
]

/** Kept while the job that failed is the newest: it would be counted once more otherwise. */
const over = ({ target }: Seen) => (target.trouble && target.trouble.job !== target.lastJob?.name ? { trouble: null } : {})

function updates(
  { target, names, full }: Seen,
  server: SeenServer,
  { program, text }: Difference,
  maintenance: Extract<Way, { is: 'open' }>['maintenance'],
  synced: readonly Condition[],
): Plan<Verb> {
  const job = names[program]!
  if (full !== undefined) return wait(`${text}: ${full} jobs run already`, seconds(10))
  const held = server.updater?.job === job
  const conditions = [accepted, ...synced, isFalse('InSync', 'Updating', text)]
  return act(
    `starts ${program}: ${text}`,
    [...(held ? [] : [{ do: 'hold', job, maintenance } as const]), { do: 'createJob', program, job }],
    {
      status: { conditions },
      events:
        target.stands['InSync'] === 'False' && held ? [] : [{ type: 'Normal', reason: 'UpdateStarts', message: `job ${job}: ${text}` }],
    },
  )
}

const stays = ({ target }: Seen, reason: string, because: string): Plan<Verb> =>
  idle(because, {
    status: { conditions: [accepted, target.known ? isFalse('InSync', reason, because) : isUnknown('InSync', reason, because)] },
  })
