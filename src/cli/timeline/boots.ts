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
  const known = [...noted(server), ...configurations.flatMap(served), ...events.map(told)]
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

function told({ at, type, reason, message, times }: Told): Moment {
  const found = /\b(?:boot|attempt) #?(\d+)\b/i.exec(message)?.[1]
  return {
    at,
    what: reason,
    says: times > 1 ? `${message} (${times} times)` : message,
    ...(found === undefined ? {} : { boot: Number(found) }),
    ...(type === 'Warning' ? { bad: true as const } : {}),
  }
}
