import type { Server, ServerBootConfiguration } from '../../controllers/metal/resources.ts'
import type { Told } from '../events.ts'

/** One thing that is known of a boot. */
export interface Moment {
  readonly at: string
  /** Which boot it belongs to, where it says so. */
  readonly boot?: number
  readonly what: string
  readonly says: string
  readonly bad?: true
}

export interface BootStory {
  /** 0 is what was before the first boot that is known. */
  readonly boot: number
  readonly moments: readonly Moment[]
}

export interface BootFacts {
  readonly server: Server
  /** Those whose evidence may concern this server. */
  readonly configurations: readonly ServerBootConfiguration[]
  readonly events: readonly Told[]
}

/** Every boot that the API still knows of, oldest first. What does not say which boot it is about belongs to the last one before it. */
export function bootsOf({ server, configurations, events }: BootFacts): readonly BootStory[] {
  const own = [...noted(server), ...configurations.flatMap(served)]
  // What a configuration still has of an earlier boot is kept with the server as well: once is enough.
  const shown = new Set(own.map(keyOf))
  const known = [...own, ...earlier(server).filter(moment => !shown.has(keyOf(moment))), ...events.map(told)]
  const inOrder = known.toSorted((a, b) => (a.at === b.at ? rank(a) - rank(b) : a.at < b.at ? -1 : 1))
  const boots = new Map<number, Moment[]>()
  let current = 0
  for (const moment of inOrder) {
    const boot = moment.boot ?? current
    current = Math.max(current, boot)
    boots.set(boot, [...(boots.get(boot) ?? []), moment])
  }
  return [...boots].toSorted(([a], [b]) => a - b).map(([boot, moments]) => ({ boot, moments }))
}

/** Within one second a server moves first, then its boot is noted, before anything else about it happens, and ends after everything. */
const order = ['Boots', 'asked', 'read back']
function rank({ what, says }: Moment): number {
  if (says.includes(' → ')) return -1
  if (what === 'ended') return order.length + 1
  return order.includes(what) ? order.indexOf(what) : order.length
}

function noted({ status }: Server): readonly Moment[] {
  const boot = status?.boot
  if (!boot) return []
  const of = boot.configuration ? `, ${boot.configuration.namespace}/${boot.configuration.name}` : ''
  const { attempt, method, asked, reset } = boot
  const known = { boot: attempt }
  return [
    { ...known, at: boot.opened, what: 'asked', says: `to boot by ${method}: ${boot.purpose.toLowerCase()}${of}` },
    // The power is asked for only after the override was read back as it was set.
    ...(asked === undefined ? [] : [{ ...known, at: asked, what: 'read back', says: `${method}, once; then the power was asked for` }]),
    ...(reset === undefined || reset < boot.opened
      ? []
      : [{ ...known, at: reset, what: 'reset', says: 'as its BMC says: the override was used up' }]),
  ]
}

const keyOf = ({ at, boot, what, says }: Moment): string => `${boot} ${at} ${what} ${says.split(' ')[0]}`

/** The boots before the last one, as the server remembers them. */
function earlier({ status }: Server): readonly Moment[] {
  return (status?.earlierBoots ?? []).flatMap(({ attempt: boot, method, purpose, configuration, opened, asked, reset, ...rest }) => {
    const of = configuration === undefined ? '' : `, ${configuration}`
    const moments: readonly Moment[] = [
      { boot, at: opened, what: 'asked', says: `to boot by ${method}: ${purpose.toLowerCase()}${of}` },
      ...(asked === undefined ? [] : [{ boot, at: asked, what: 'read back', says: `${method}, once; then the power was asked for` }]),
      ...(reset === undefined || reset < opened
        ? []
        : [{ boot, at: reset, what: 'reset', says: 'as its BMC says: the override was used up' }]),
      ...(rest.served ?? []).map(({ what, time }) => ({ boot, at: time, what: 'served', says: what })),
      ...(rest.reported ?? []).map(({ state, time }) => ({ boot, at: time, what: 'reported', says: state })),
    ]
    // When it ended nobody noted: it is told after the last that is known of it.
    const last = moments.reduce((at, moment) => (moment.at > at ? moment.at : at), opened)
    return rest.outcome === undefined
      ? moments
      : [...moments, { boot, at: last, what: 'ended', says: `${rest.outcome}: ${rest.because ?? ''}` }]
  })
}

function served({ status }: ServerBootConfiguration): readonly Moment[] {
  const evidence = status?.served
  if (!evidence) return []
  const { attempt: boot, fetches = [], reports = [], registration, refused } = evidence
  const last = fetches.at(-1)?.first
  return [
    ...fetches.map(({ what, first, done, from }) => ({
      at: done ?? first,
      boot,
      what: 'served',
      says: `${what}${done === undefined ? ', not whole yet' : ''}${from === undefined ? '' : ` to ${from}`}`,
    })),
    ...reports.map(({ state, time }) => ({ at: time, boot, what: 'reported', says: state })),
    ...(registration ? [{ at: registration.time, boot, what: 'reported', says: `what it is made of, as ${registration.systemUUID}` }] : []),
    ...(refused !== undefined && last !== undefined
      ? [{ at: last, boot, what: 'refused', says: `about ${refused} requests without the right to be served`, bad: true as const }]
      : []),
  ]
}

export function told({ at, type, reason, message, times }: Told): Moment {
  const found = /\b(?:boot|attempt) #?(\d+)\b/i.exec(message)?.[1]
  return {
    at,
    what: reason,
    says: times > 1 ? `${message} (${times} times)` : message,
    ...(found === undefined ? {} : { boot: Number(found) }),
    ...(type === 'Warning' ? { bad: true as const } : {}),
  }
}
