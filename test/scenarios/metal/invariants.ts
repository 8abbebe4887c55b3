import { claims, configurations, maintenances, type Server, servers } from '../../../src/controllers/metal/resources.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import { isObject } from '../../../src/core/json.ts'
import type { Entry } from '../../../src/sim/action-log.ts'
import type { Invariant, Sight } from '../../../src/sim/invariant.ts'
import type { Machine } from '../../../src/sim/machine/machine.ts'
import type { Lab } from './lab.ts'
import { metalLease } from './program.ts'

export type Metal = Invariant<Lab>

const changes = ['bmc.set', 'bmc.once', 'bmc.clear', 'bmc.insert', 'bmc.eject']
export const asksHardware = (entry: Entry | undefined): entry is Entry => entry?.what === 'asks' && changes.includes(entry.call)
export const wordsOf = ({ detail }: Entry): readonly string[] => (Array.isArray(detail) ? detail.map(String) : [])
export const serverOf = (sight: Sight<Lab>, machine: string): Server | undefined =>
  sight.objects(servers).find(({ metadata }) => metadata.name === `${machine}-system-0`)
export const machineOf = (sight: Sight<Lab>, name: string): Machine => sight.devices.rack.machine(name)
export const isOpen = (server: Server | undefined): boolean => server?.status?.boot !== undefined && server.status.boot.step !== 'Ended'

/** What the next boot would really be told, whatever its BMC says. */
const isArmed = ({ armed }: Machine, method: string | undefined): boolean => armed.target === targetOf(method) && armed.lasts === 'Once'
const targetOf = (method: string | undefined): string | undefined => (method === 'VirtualMedia' ? 'Cd' : method)

const notedFirst: Metal = {
  name: 'I2 nothing is armed, switched on or switched off before it is noted durably',
  begin: sight => entry => {
    if (!asksHardware(entry)) return undefined
    const [machine = '', ...words] = wordsOf(entry)
    const { boot, stopping } = serverOf(sight, machine)?.status ?? {}
    const told = `${entry.by} asks ${machine} for ${entry.call} ${words.join(' ')}; noted is ${JSON.stringify({ boot, stopping })}`
    if (entry.call === 'bmc.once')
      return ((boot?.step === 'Arming' || boot?.standby === true) && targetOf(boot.method) === words[0]) ||
        (boot?.next === 'Hdd' && words[0] === 'Hdd')
        ? undefined
        : told
    if (entry.call === 'bmc.insert') return boot?.step === 'Arming' && boot.slot === words[0] ? undefined : told
    if (entry.call === 'bmc.set' && words[0] === 'On') return boot?.step === 'Starting' || boot?.next === 'Hdd' ? undefined : told
    if (entry.call === 'bmc.set') return stopping !== undefined || boot?.cycled === true ? undefined : told
    return undefined
  },
}

const freshFirst: Metal = {
  name: 'I2 hardware is asked for nothing on the word of a cache: its Server is read anew, and its claim and maintenance with it',
  begin(sight) {
    const fresh = new Map<string, Set<string>>()
    let last = ''
    return entry => {
      if (entry?.what === 'hears' && /^get (servers|serverclaims|servermaintenances) /.test(entry.call)) {
        const read = fresh.get(entry.by) ?? new Set()
        fresh.set(entry.by, read.add(entry.call))
      }
      if (!asksHardware(entry)) return undefined
      const [machine = ''] = wordsOf(entry)
      const read = fresh.get(entry.by) ?? new Set()
      const { serverClaimRef: ref, serverMaintenanceRef: held } = serverOf(sight, machine)?.spec ?? {}
      const needed = [
        `get servers ${machine}-system-0`,
        ...(ref ? [`get serverclaims ${ref.namespace}/${ref.name}`] : []),
        ...(held ? [`get servermaintenances ${held.namespace}/${held.name}`] : []),
      ]
      const missing = needed.find(call => !read.has(call))
      for (const call of needed) read.delete(call)
      // Two actions of one plan stand on one reading.
      if (entry.call === 'bmc.set' && serverOf(sight, machine)?.status?.boot?.cycled) return undefined
      const before = last
      last = `${entry.by} ${entry.call}`
      if (entry.call === 'bmc.once' && before === `${entry.by} bmc.insert`) return undefined
      return missing === undefined ? undefined : `${entry.by} asks ${machine} for ${entry.call} without ${missing}`
    }
  },
}

const armedFirst: Metal = {
  name: 'I6 no machine is switched on unless what it shall boot is armed, once',
  begin: sight => entry => {
    if (!asksHardware(entry) || entry.call !== 'bmc.set') return undefined
    const [machine = '', to] = wordsOf(entry)
    const boot = serverOf(sight, machine)?.status?.boot
    // One that is on already does not become so by being asked again.
    if (to !== 'On' || machineOf(sight, machine).power !== 'Off') return undefined
    const method = boot?.next ?? boot?.method
    return isArmed(machineOf(sight, machine), method)
      ? undefined
      : `${entry.by} switches ${machine} on, and ${JSON.stringify(machineOf(sight, machine).armed)} is armed instead of ${method}`
  },
}

const readBackFirst: Metal = {
  name: 'I6 no machine is switched on before what was armed was read back',
  begin() {
    const unread = new Set<string>()
    return entry => {
      if (entry === undefined || !entry.call.startsWith('bmc.')) return undefined
      const [machine = ''] = wordsOf(entry)
      if (entry.what === 'asks' && entry.call === 'bmc.once') unread.add(`${entry.by} ${machine}`)
      if (entry.what === 'asks' && entry.call === 'bmc.glance') unread.delete(`${entry.by} ${machine}`)
      if (entry.what !== 'asks' || entry.call !== 'bmc.set' || wordsOf(entry)[1] !== 'On') return undefined
      return unread.has(`${entry.by} ${machine}`) ? `${entry.by} switches ${machine} on without having looked at what is armed` : undefined
    }
  },
}

const gracefulFirst: Metal = {
  name: 'I8 no power is cut under a running system before it was asked, that was heard, and it was given five minutes',
  begin(sight) {
    const heard = new Map<string, number>()
    const questions = new Map<string, string>()
    return entry => {
      if (entry?.call !== 'bmc.set') return undefined
      const call = `${entry.by} ${entry.nth}`
      if (entry.what === 'effect' && entry.detail === 'done') {
        const machine = questions.get(call)
        if (machine !== undefined && !heard.has(machine)) heard.set(machine, entry.at)
      }
      if (!asksHardware(entry)) return undefined
      const [machine = '', to, how] = wordsOf(entry)
      if (to === 'On') heard.delete(machine)
      if (to === 'Off' && how === 'graceful') questions.set(call, machine)
      if (to !== 'Off' || how === 'graceful' || machineOf(sight, machine).stage !== 'running') return undefined
      const since = heard.get(machine)
      return since !== undefined && entry.at - since >= minutes(5) ? undefined : `${entry.by} cuts the power of ${machine}, which runs`
    }
  },
}

const netBootsOpen: Metal = {
  name: 'I4 D8 a machine boots from the network only while that boot is noted and open',
  begin(sight) {
    let seen = 0
    return () => {
      const { happened } = sight.devices
      for (; seen < happened.length; seen++) {
        const event = happened[seen]!
        if (event.what !== 'boots' || (event.from !== 'Pxe' && event.from !== 'UefiHttp')) continue
        const server = serverOf(sight, event.server)
        if (!isOpen(server) || server?.status?.boot?.method !== event.from)
          return `${event.server} boots by ${event.from}, and noted is ${JSON.stringify(server?.status?.boot)}`
      }
      return undefined
    }
  },
}

const servedOpen: Metal = {
  name: 'I14 D8 no install artefact leaves the boot server outside an open boot',
  begin(sight) {
    let seen = 0
    return () => {
      const { handed } = sight.devices
      for (; seen < handed.length; seen++) {
        const { path, status } = handed[seen]!
        if (!/\/boot\/[^/]+\/(kernel|initramfs|.*\.efi)$/.test(path) || status >= 300) continue
        if (!sight.objects(servers).some(isOpen)) return `${path.replace(/\/boot\/[^/]+/, '')} was served, and no boot is open`
      }
      return undefined
    }
  },
}

const oneToOne: Metal = {
  name: 'I3 a server has one claim, and a claim one server',
  begin: sight => () => {
    const owners = sight
      .objects(servers)
      .flatMap(({ spec }) => (spec.serverClaimRef ? [spec.serverClaimRef.uid ?? spec.serverClaimRef.name] : []))
    if (new Set(owners).size < owners.length) return `one claim has several servers: ${owners.join(', ')}`
    return undefined
  },
}

const offBeforeGone: Metal = {
  name: 'I5 I15 a server is let go only when it is off and nothing is armed',
  begin(sight) {
    const had = new Map<string, boolean>()
    return () => {
      for (const { metadata, spec } of sight.objects(servers)) {
        const before = had.get(metadata.name)
        had.set(metadata.name, spec.serverClaimRef !== undefined)
        if (!before || spec.serverClaimRef) continue
        const machine = machineOf(sight, metadata.name.replace(/-system-0$/, ''))
        if (machine.power !== 'Off' || machine.armed.lasts !== 'Disabled')
          return `${metadata.name} was let go while it is ${machine.power} with ${JSON.stringify(machine.armed)}`
      }
      return undefined
    }
  },
}

const claimStays: Metal = {
  name: 'I5 a claim goes only after its server has let go of it',
  begin: sight => () => {
    const names = new Set(sight.objects(claims).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`))
    const held = sight
      .objects(servers)
      .find(({ spec }) => spec.serverClaimRef && !names.has(`${spec.serverClaimRef.namespace}/${spec.serverClaimRef.name}`))
    return held && `${held.metadata.name} is claimed by ${held.spec.serverClaimRef?.name}, which is gone`
  },
}

const markedOnce: Metal = {
  name: 'BP-033 BP-036 provisioned is said only of a machine that was on and fetched its image, and never taken back',
  begin(sight) {
    const marked = new Set<string>()
    return () => {
      for (const { metadata, status } of sight.objects(configurations)) {
        const uid = metadata.uid ?? ''
        const says = metadata.annotations?.['metal.ironcore.dev/provisioned'] === 'true'
        if (marked.has(uid) && !says) return `${metadata.name} is not provisioned any more`
        if (!says || marked.has(uid)) continue
        marked.add(uid)
        const fetched = (status?.served?.fetches ?? []).filter(({ done }) => done !== undefined).map(({ what }) => what)
        const wanted = status?.image?.artifacts ?? []
        const served = wanted.length > 0 && wanted.every(({ role }) => fetched.includes(role))
        if (!served && !sight.devices.begunInstalled) return `${metadata.name} is said to be provisioned before its image was fetched`
      }
      return undefined
    }
  },
}

/** What people want of servers, and nothing that we write ourselves. */
const wishesIn = (sight: Sight<Lab>): string =>
  JSON.stringify([
    ...sight
      .objects(claims)
      .map(({ metadata, spec }) => [metadata.uid, metadata.deletionTimestamp, spec.power, spec.image, spec.bootPolicy]),
    ...sight.objects(maintenances).map(({ metadata, spec }) => [metadata.uid, metadata.deletionTimestamp, spec]),
  ])

const bounded: Metal = {
  name: 'I18 I32 no machine is started more than three times within an hour without somebody wanting something else, or installed twice',
  begin(sight) {
    const times = new Map<string, number[]>()
    let seen = 0
    let installed = 0
    let wanted = ''
    return () => {
      const wishes = wishesIn(sight)
      if (wishes !== wanted) times.clear()
      wanted = wishes
      const { happened } = sight.devices
      for (; seen < happened.length; seen++) {
        const event = happened[seen]!
        if (event.what === 'installed' && ++installed > 1) return `${installed} installations`
        // Its own restarts are its system's business.
        if (event.what !== 'reset' || event.by === 'OS') continue
        const recent = (times.get(event.server) ?? []).filter(at => event.at - at < minutes(60))
        times.set(event.server, [...recent, event.at])
        if (recent.length === 3) return `${event.server} is started for the fourth time within an hour, by ${event.by}`
      }
      return undefined
    }
  },
}

const availableIsOff: Metal = {
  name: 'I25 a server is said to be Available only when it was read to be off, with discovery’s configuration gone',
  begin(sight) {
    const was = new Map<string, string | undefined>()
    return () => {
      for (const { metadata, status } of sight.objects(servers)) {
        const before = was.get(metadata.name)
        was.set(metadata.name, status?.state)
        if (status?.state !== 'Available' || before === 'Available' || before === undefined) continue
        if (status.powerState !== 'Off') return `${metadata.name} becomes Available and is said to be ${status.powerState}`
        const left = sight
          .objects(configurations)
          .find(({ spec, metadata: { name } }) => spec.serverRef.name === metadata.name && name.startsWith('discovery-'))
        if (left) return `${metadata.name} becomes Available and ${left.metadata.name} is still there`
      }
      return undefined
    }
  },
}

const honestGenerations: Metal = {
  name: 'I25 observedGeneration never runs ahead',
  begin: sight => entry => {
    if (entry !== undefined) return undefined
    const all = [...sight.objects(servers), ...sight.objects(claims), ...sight.objects(configurations)]
    const ahead = all.find(({ metadata, status }) => (status?.observedGeneration ?? 0) > (metadata.generation ?? 0))
    return ahead && `${ahead.metadata.name} was observed at ${ahead.status?.observedGeneration}, and is at ${ahead.metadata.generation}`
  },
}

const fenced: Metal = {
  name: 'I2 nothing is written to a server but over the state that was seen',
  begin: () => entry => {
    if (entry?.what !== 'asks' || !entry.call.startsWith('patch servers')) return undefined
    const metadata = isObject(entry.detail) && isObject(entry.detail['metadata']) ? entry.detail['metadata'] : {}
    return metadata['resourceVersion'] === undefined ? `${entry.by} writes ${JSON.stringify(entry.detail)}` : undefined
  },
}

const secretsKept: Metal = {
  name: 'I30 no ticket and no password is written anywhere',
  begin: sight => entry => {
    if (entry === undefined || entry.call.startsWith('bmc.')) return undefined
    const text = JSON.stringify(entry.detail ?? '')
    if (/\/boot\/[\w-]+\.[\w-]+/.test(text)) return `${entry.by} writes a ticket with ${entry.call}`
    return text.includes(`"${sight.devices.rack.password('srv-1')}"`) ? `${entry.by} writes a password with ${entry.call}` : undefined
  },
}

const inMeasure: Metal = {
  name: 'nothing is asked for in a storm',
  begin() {
    const times = new Map<string, number[]>()
    return entry => {
      if (entry?.what !== 'asks') return undefined
      const recent = (times.get(entry.call) ?? []).filter(at => entry.at - at < seconds(10))
      recent.push(entry.at)
      times.set(entry.call, recent)
      return recent.length === most + 1 ? `${entry.call} was called ${recent.length} times within 10 s` : undefined
    }
  },
}
const most = 40

const leaderOnly: Metal = {
  name: 'I16 only the holder of a Lease that has not run out asks hardware for anything',
  begin(sight) {
    let renewed = 0
    let contested = false
    return entry => {
      if (entry?.what === 'life' && entry.call === 'starts' && entry.by === 'b') contested = true
      if (entry?.what === 'effect' && entry.call.includes(' leases')) renewed = entry.at
      if (!asksHardware(entry) || !contested) return undefined
      const lease = sight.objects(leases).find(({ metadata }) => metadata.name === metalLease.name)
      if (!lease) return `${entry.by} asks for ${entry.call} although nobody leads`
      const { holderIdentity, leaseDurationSeconds } = lease['spec'] as {
        readonly holderIdentity: string
        readonly leaseDurationSeconds: number
      }
      if (holderIdentity !== entry.by) return `${entry.by} asks for ${entry.call} although ${holderIdentity} leads`
      return entry.at - renewed <= seconds(leaseDurationSeconds) ? undefined : `${entry.by} asks for ${entry.call} after its Lease ran out`
    }
  },
}
export const leases = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true } as const

export const metalInvariants: readonly Metal[] = [
  notedFirst,
  freshFirst,
  armedFirst,
  readBackFirst,
  gracefulFirst,
  netBootsOpen,
  servedOpen,
  oneToOne,
  offBeforeGone,
  claimStays,
  markedOnce,
  bounded,
  availableIsOff,
  honestGenerations,
  fenced,
  secretsKept,
  inMeasure,
  leaderOnly,
]
