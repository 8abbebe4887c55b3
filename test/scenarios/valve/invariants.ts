import { type Valve, valves } from '../../../examples/controller/valve.ts'
import { seconds } from '../../../src/core/duration.ts'
import { isObject } from '../../../src/core/json.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import type { ResourceRef } from '../../../src/ports/index.ts'
import type { Entry } from '../../../src/sim/action-log.ts'
import type { Invariant, Sight } from '../../../src/sim/invariant.ts'
import type { Motors } from './setting.ts'

type Valved = Invariant<Motors>

const addressOf = ({ detail }: Entry): string => String(Array.isArray(detail) ? detail[0] : '')
const asksForTurn = (entry: Entry | undefined): entry is Entry => entry?.what === 'asks' && entry.call === 'motor.turn'
const valveAt = (sight: Sight<Motors>, address: string): Valve | undefined =>
  sight.objects(valves).find(({ spec }) => spec.address === address)

/** How long after it was asked for a turn may still come: what the controller is told, and what late calls keep to. */
const mayStillCome = seconds(30)

const notTwice: Valved = {
  name: 'no turn is asked for while an earlier one is under way or may still come',
  begin(sight) {
    const asked = new Map<string, { readonly at: number; readonly turns: number }>()
    return entry => {
      if (!asksForTurn(entry)) return undefined
      const address = addressOf(entry)
      const { reading } = sight.devices.motors.get(address)!
      const last = asked.get(address)
      asked.set(address, { at: entry.at, turns: reading.turns })
      if (reading.position === 'Moving') return `${entry.by} asks ${address} at ${entry.at} while it moves`
      if (last && last.turns === reading.turns && entry.at - last.at < mayStillCome)
        return `${entry.by} asks ${address} again after ${entry.at - last.at} ms, although the turn before has not been done`
      return undefined
    }
  },
}

const notedFirst: Valved = {
  name: 'no turn is asked for before it is noted durably',
  begin: sight => entry => {
    if (!asksForTurn(entry)) return undefined
    const address = addressOf(entry)
    const { turns } = sight.devices.motors.get(address)!.reading
    const noted = valveAt(sight, address)?.status?.turn
    return noted?.after === turns ? undefined : `${entry.by} asks ${address} for turn ${turns + 1}; noted is ${JSON.stringify(noted)}`
  },
}

const freshFirst: Valved = {
  name: 'no turn is asked for without a fresh read of the valve',
  begin() {
    /** Which process has read which valve past its cache since it last asked its motor for anything. */
    const fresh = new Set<string>()
    return entry => {
      if (entry?.what === 'hears' && entry.call.startsWith('get valves ')) fresh.add(`${entry.by} motor-${entry.call.split('/').at(-1)}`)
      if (entry?.what !== 'asks' || !entry.call.startsWith('motor.')) return undefined
      if (fresh.delete(`${entry.by} ${addressOf(entry)}`) || entry.call !== 'motor.turn') return undefined
      return `${entry.by} asks ${addressOf(entry)} at ${entry.at} on the word of its cache`
    }
  },
}

const asWanted: Valved = {
  name: 'no turn is asked for that takes a valve away from what is wanted',
  begin(sight) {
    /** What was wanted when a process last read the valve past its cache: nobody can know better when the turn is sent. */
    const read = new Map<string, string | undefined>()
    const wantedBy = ({ metadata, spec }: Valve): string => (metadata.deletionTimestamp === undefined ? spec.position : 'Closed')
    const wantedIn = new Map<string, string>()
    return entry => {
      for (const valve of sight.objects(valves)) wantedIn.set(String(valve.metadata.resourceVersion), wantedBy(valve))
      if (entry?.what === 'hears' && entry.call.startsWith('get valves ') && isObject(entry.detail))
        read.set(`${entry.by} motor-${entry.call.split('/').at(-1)}`, wantedIn.get(String(entry.detail['revision'])))
      if (!asksForTurn(entry)) return undefined
      const address = addressOf(entry)
      const { position } = sight.devices.motors.get(address)!.reading
      const known = read.get(`${entry.by} ${address}`)
      return position === known ? `${entry.by} turns ${address} away from ${known}` : undefined
    }
  },
}

const closedBeforeGone: Valved = {
  name: 'a valve is forgotten only when it is closed and will stay so',
  begin: sight => entry => {
    if (entry?.what !== 'effect' || !entry.call.startsWith('patch valves ')) return undefined
    const name = entry.call.split('/').at(-1)
    const { reading, owed } = sight.devices.motors.get(`motor-${name}`)!
    const gone = !sight.objects(valves).some(({ metadata }) => metadata.name === name)
    return gone && (reading.position !== 'Closed' || owed > 0) ? `${entry.by} lets go of ${name}, which is ${reading.position}` : undefined
  },
}

const saysWhatWasRead: Valved = {
  name: 'status says open or closed only where the motor was read to be',
  begin(sight) {
    const read = new Map<string, unknown>()
    const asked = new Map<string, string>()
    return entry => {
      if (entry?.what === 'asks' && entry.call === 'motor.read') asked.set(`${entry.by}#${entry.nth}`, addressOf(entry))
      if (entry?.what === 'hears' && entry.call === 'motor.read' && isObject(entry.detail))
        read.set(`${entry.by} ${asked.get(`${entry.by}#${entry.nth}`)}`, entry.detail['position'])
      if (entry?.what !== 'asks' || !entry.call.startsWith('patch valves/status ')) return undefined
      const status = isObject(entry.detail) && isObject(entry.detail['status']) ? entry.detail['status'] : {}
      const phase = status['phase']
      if (phase !== 'Open' && phase !== 'Closed') return undefined
      const name = entry.call.split('/').at(-1)
      const address = sight.objects(valves).find(({ metadata }) => metadata.name === name)?.spec.address ?? `motor-${name}`
      const found = read.get(`${entry.by} ${address}`)
      return found === phase ? undefined : `${entry.by} writes ${phase} for ${name}, having read ${String(found)}`
    }
  },
}

export const leases: ResourceRef = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true }

const leaderOnly: Valved = {
  name: 'only the holder of a Lease that has not run out asks for turns',
  begin(sight) {
    /** By the world's time, whatever the clocks of the processes say. */
    let renewed = 0
    let contested = false
    return entry => {
      if (entry?.what === 'life' && entry.call === 'starts' && entry.by === 'b') contested = true
      if (entry?.what === 'effect' && entry.call.includes(' leases')) renewed = entry.at
      if (!asksForTurn(entry)) return undefined
      const lease = sight.objects(leases).find(({ metadata }) => metadata.name === 'valves')
      if (!lease) return contested ? `${entry.by} asks ${addressOf(entry)} although nobody leads` : undefined
      const { holderIdentity, leaseDurationSeconds } = (lease as KubeObject & { spec: LeaseSpec }).spec
      if (holderIdentity !== entry.by) return `${entry.by} asks ${addressOf(entry)} although ${holderIdentity} leads`
      return entry.at - renewed <= seconds(leaseDurationSeconds)
        ? undefined
        : `${entry.by} asks ${addressOf(entry)} after its Lease ran out`
    }
  },
}

interface LeaseSpec {
  readonly holderIdentity: string
  readonly leaseDurationSeconds: number
}

const inMeasure: Valved = {
  name: 'nothing is asked for in a storm',
  begin() {
    const times = new Map<string, number[]>()
    return entry => {
      if (entry?.what !== 'asks') return undefined
      const recent = (times.get(entry.call) ?? []).filter(at => entry.at - at < seconds(10))
      recent.push(entry.at)
      times.set(entry.call, recent)
      // Ten moves of a lifecycle may follow each other at one instant; nothing else is that quick.
      return recent.length === most + 1 ? `${entry.call} was called ${recent.length} times within 10 s` : undefined
    }
  },
}
const most = 24

const fenced: Valved = {
  name: 'nothing is written to a valve but over the state that was seen',
  begin: () => entry => {
    if (entry?.what !== 'asks' || !entry.call.startsWith('patch valves')) return undefined
    const metadata = isObject(entry.detail) && isObject(entry.detail['metadata']) ? entry.detail['metadata'] : {}
    return metadata['resourceVersion'] === undefined ? `${entry.by} writes ${JSON.stringify(entry.detail)}` : undefined
  },
}

const honestGenerations: Valved = {
  name: 'observedGeneration never runs ahead',
  begin: sight => entry => {
    if (entry !== undefined) return undefined
    const ahead = sight.objects(valves).find(({ metadata, status }) => (status?.observedGeneration ?? 0) > (metadata.generation ?? 0))
    return ahead
      ? `${ahead.metadata.name} was observed at ${ahead.status?.observedGeneration}, and is at ${ahead.metadata.generation}`
      : undefined
  },
}

export const valveInvariants: readonly Valved[] = [
  notTwice,
  notedFirst,
  freshFirst,
  asWanted,
  closedBeforeGone,
  saysWhatWasRead,
  leaderOnly,
  inMeasure,
  fenced,
  honestGenerations,
]
