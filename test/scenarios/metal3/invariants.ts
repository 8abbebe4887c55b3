import { dataImages, hosts } from '../../../src/controllers/metal3/resources.ts'
import { hours } from '../../../src/core/duration.ts'
import type { Entry } from '../../../src/sim/action-log.ts'
import type { Invariant, Sight } from '../../../src/sim/invariant.ts'
import { ramdiskIso } from '../../metal3/ramdisk-world.ts'
import { disc, type HostLab } from './lab.ts'

export type Held = Invariant<HostLab>

export const wordsOf = ({ detail }: Entry): readonly string[] => (Array.isArray(detail) ? detail.map(String) : [])
export const asks = (entry: Entry | undefined, ...calls: readonly string[]): entry is Entry =>
  entry?.what === 'asks' && calls.includes(entry.call)

/** Which step an engine must have noted for a call. */
const stepOf = (entry: Entry): string => {
  const [, to] = wordsOf(entry)
  if (entry.call === 'bmc.set') return to === 'On' ? 'switchOn' : to === 'Off' ? 'switchOff' : 'restart'
  return steps[entry.call] ?? entry.call
}
const steps: Readonly<Record<string, string>> = {
  'bmc.insert': 'insert',
  'bmc.eject': 'eject',
  'bmc.always': 'bootFrom',
  'bmc.once': 'bootOnce',
  'bmc.clear': 'disarm',
  'agent.begin': 'command',
}
export const changes = ['bmc.set', ...Object.keys(steps)]

const notedFirst: Held = {
  name: 'I2 nothing is asked of a host’s machine before it is noted durably',
  begin: sight => entry => {
    if (!asks(entry, ...changes)) return undefined
    const noted = sight.objects(hosts)[0]?.status?.engine
    const disc = sight.objects(dataImages)[0]?.status?.begun
    return noted?.step === stepOf(entry) || disc?.step === stepOf(entry)
      ? undefined
      : `${entry.by} asks for ${entry.call}; noted is ${JSON.stringify(noted)}`
  },
}

const freshFirst: Held = {
  name: 'I2 nothing is asked of a host’s machine on the word of a cache',
  begin() {
    const read = new Set<string>()
    return entry => {
      if (entry?.what === 'hears' && entry.call.startsWith('get baremetalhosts ')) read.add(entry.by)
      if (!asks(entry, ...changes)) return undefined
      return read.delete(entry.by) ? undefined : `${entry.by} asks for ${entry.call} without a fresh read`
    }
  },
}

const discsWhileOff: Held = {
  name: 'I8 a disc is changed only while the machine is off, where nobody wants it otherwise',
  begin: sight => entry => {
    if (entry?.what !== 'effect' || !['bmc.insert', 'bmc.eject'].includes(entry.call)) return undefined
    const { power } = sight.devices.rack.machine('srv-1')
    const anytime = hostOf(sight)?.spec?.disablePowerOff === true || sight.objects(dataImages)[0]?.spec?.immediate === true
    return power === 'Off' || anytime ? undefined : `${entry.call} while its power is ${power}`
  },
}

const neverOff: Held = {
  name: 'I8 a host with disablePowerOff is not switched off',
  begin: sight => entry =>
    asks(entry, 'bmc.set') && wordsOf(entry)[1] === 'Off' && hostOf(sight)?.spec?.disablePowerOff
      ? `${entry.by} switches it off`
      : undefined,
}

const notWhileGone: Held = {
  name: 'I23 a host that is gone is asked for nothing',
  begin: sight => entry =>
    asks(entry, ...changes) && sight.objects(hosts).length === 0 ? `${entry.by} asks for ${entry.call}, and there is no host` : undefined,
}

const inMeasure: Held = {
  name: 'I18 a machine is not switched over and over',
  begin() {
    const times: number[] = []
    return entry => {
      if (!asks(entry, 'bmc.set')) return undefined
      times.push(entry.at)
      return times.filter(at => entry.at - at < hours(1)).length > 12 ? 'it was switched more than 12 times within an hour' : undefined
    }
  },
}

export const hostOf = (sight: Sight<HostLab>) => sight.objects(hosts)[0]

const keptWhatever: Held = {
  name: 'I1 nothing but another wish or a deletion takes a provisioned host back',
  begin(sight) {
    let from = ''
    return () => {
      const host = hostOf(sight)
      const to = host?.status?.provisioning?.state ?? ''
      const left = from === 'provisioned' && to === 'deprovisioning'
      from = to
      const { image, customDeploy } = host?.status?.provisioning ?? {}
      const asked =
        host?.metadata.deletionTimestamp !== undefined ||
        host?.spec?.image?.url !== image?.url ||
        host?.spec?.customDeploy?.method !== customDeploy?.method
      return left && !asked ? 'a provisioned host is given back, and nobody wants that' : undefined
    }
  },
}

/** `boots` says which disc its machine is to boot from, for as far as a try has come. */
export const readBackFirst = (boots: (sight: Sight<HostLab>) => string | undefined): Held => ({
  name: 'I6 I7 a machine is switched on to be installed only when its disc is in and armed, and both were read back',
  begin(sight) {
    const unread = new Set<string>()
    return entry => {
      if (entry?.what !== 'asks') return undefined
      if (['bmc.insert', 'bmc.always', 'bmc.once'].includes(entry.call)) unread.add(entry.by)
      // Drives are read last: what stands there then was read after everything that was changed.
      if (entry.call === 'bmc.slots') unread.delete(entry.by)
      if (entry.call !== 'bmc.set' || wordsOf(entry)[1] !== 'On' || hostOf(sight)?.status?.engine?.work !== 'deploy') return undefined
      if (unread.has(entry.by)) return `${entry.by} switches it on without having read back`
      const { power, armed, media } = sight.devices.rack.machine('srv-1')
      if (power !== 'Off') return undefined
      const discs = Object.values(media ?? {}).flatMap(({ image }) => image ?? [])
      const { engine } = hostOf(sight)?.status ?? {}
      const isReady =
        engine?.stage === 'leave'
          ? discs.length === 0 && armed?.target === 'Hdd'
          : discs.includes(boots(sight) ?? 'none') && armed?.target === 'Cd'
      return isReady ? undefined : `it is switched on with ${discs} in its drives and ${armed?.target} armed`
    }
  },
})

const bootsOurs: Held = {
  name: 'I7 what boots from a disc boots the disc of the host’s image, or the ramdisk while it is worked on',
  begin(sight) {
    let seen = 0
    return () => {
      const { happened, rack } = sight.devices
      for (; seen < happened.length; seen++) {
        const event = happened[seen]!
        if (event.what !== 'boots' || event.from !== 'Cd') continue
        const { provisioning, engine } = hostOf(sight)?.status ?? {}
        const wanted = engine?.stage === undefined ? provisioning?.image?.url : ramdiskIso
        const discs = Object.values(rack.machine(event.server).media ?? {}).map(({ image }) => image)
        if (wanted === undefined || !discs.includes(wanted)) return `it boots a disc, and ${wanted ?? 'none'} is noted`
      }
      return undefined
    }
  },
}

const written: Held = {
  name: 'I1 an agent is given a step only for a host that is being installed or given back, or whose volumes are made',
  begin: sight => entry => {
    const [host] = sight.objects(hosts)
    const state = host?.status?.provisioning?.state
    const works = ['provisioning', 'deprovisioning', ...(host?.spec?.raid ? ['preparing'] : [])]
    return asks(entry, 'agent.begin') && !works.includes(state ?? '')
      ? `${entry.by} gives its agent ${wordsOf(entry).join(' ')} while the host is ${state}`
      : undefined
  },
}

const fromDiskForGood: Held = {
  name: 'I15 ZT-050 what was installed on a disk never boots from the ramdisk’s disc again',
  begin(sight) {
    let seen = 0
    return () => {
      const { happened } = sight.devices
      const booted = happened.slice(seen).filter(event => event.what === 'boots' && event.from === 'Cd')
      seen = happened.length
      const { provisioning } = sight.objects(hosts)[0]?.status ?? {}
      const onDisk = provisioning?.state === 'provisioned' && provisioning.image?.format !== 'live-iso'
      return onDisk && booted.length > 0 ? 'it boots from a disc although it is provisioned' : undefined
    }
  },
}

const cleanFirst: Held = {
  name: 'I12 I15 a host that is given back is available only when it is off, nothing of ours is in its drives, and its disks were cleaned if they are to be',
  begin(sight) {
    let from = ''
    return () => {
      const to = hostOf(sight)?.status?.provisioning?.state ?? ''
      const back = from === 'deprovisioning' && to === 'available'
      from = to
      const { power, media, disk } = sight.devices.rack.machine('srv-1')
      const discs = Object.values(media ?? {}).filter(({ leaving }) => !leaving)
      const isDirty = hostOf(sight)?.spec?.automatedCleaningMode === 'metadata' && disk !== undefined
      return back && (power !== 'Off' || discs.length > 0 || isDirty)
        ? `it is available, ${power}, with ${discs.length} discs and ${disk?.os ?? 'nothing'} on its disk`
        : undefined
    }
  },
}

const leftWhilePaused: Held = {
  name: 'I24 nothing is asked of the machine of a host that is paused or detached',
  begin(sight) {
    /** As it was when it was read anew: what is said after that comes too late for one call. */
    const aside = new Map<string, boolean>()
    return entry => {
      if (entry?.what === 'hears' && entry.call.startsWith('get baremetalhosts ')) {
        const annotations = hostOf(sight)?.metadata.annotations ?? {}
        aside.set(
          entry.by,
          ['paused', 'detached'].some(word => `baremetalhost.metal3.io/${word}` in annotations),
        )
      }
      return asks(entry, ...changes) && aside.get(entry.by) ? `${entry.by} asks for ${entry.call}, and the host is left alone` : undefined
    }
  },
}

const goneWhenFree: Held = {
  name: 'I15 I23 a host goes only when its machine is off, with nothing of ours armed or in a drive; a detached one takes nothing along',
  begin(sight) {
    let last: ReturnType<typeof hostOf>
    return () => {
      const host = hostOf(sight)
      const gone = last !== undefined && host === undefined
      const detached = 'baremetalhost.metal3.io/detached' in (last?.metadata.annotations ?? {})
      const was = last
      last = host
      if (!gone || detached) return undefined
      const { power, media, armed } = sight.devices.rack.machine('srv-1')
      const discs = Object.values(media ?? {}).filter(({ leaving }) => !leaving)
      const isArmed = armed.lasts !== 'Disabled' && armed.target !== 'Hdd'
      const runsOn = power !== 'Off' && was?.spec?.disablePowerOff !== true
      return runsOn || discs.length > 0 || isArmed
        ? `the host is gone, and its machine is ${power}, with ${discs.length} discs and ${armed.target} armed`
        : undefined
    }
  },
}

const seenFirst: Held = {
  name: 'I25 a host is provisioned only when its machine is on, with its live disc in, or with the ramdisk’s out',
  begin(sight) {
    let from = ''
    return () => {
      const to = hostOf(sight)?.status?.provisioning?.state ?? ''
      const done = from === 'provisioning' && to === 'provisioned'
      from = to
      const { power, media } = sight.devices.rack.machine('srv-1')
      const isIn = Object.values(media ?? {}).length > 0
      const isLive = hostOf(sight)?.spec?.image?.format === 'live-iso'
      return done && (power === 'Off' || isIn !== isLive)
        ? `it is said to be provisioned, and its machine is ${power}, its disc ${isIn ? 'in' : 'out'}`
        : undefined
    }
  },
}

const fewSessions: Held = {
  name: 'I17 a management controller has two sessions of ours at most',
  begin: sight => entry => {
    if (entry?.what !== 'hears' || !entry.call.startsWith('bmc.')) return undefined
    const { sessions } = sight.devices.rack.counts('srv-1')
    return sessions > 2 ? `it has ${sessions} sessions` : undefined
  },
}

/** Those that do not speak of one certain disc. */
export const plainHostInvariants: readonly Held[] = [
  written,
  fromDiskForGood,
  notedFirst,
  freshFirst,
  discsWhileOff,
  neverOff,
  notWhileGone,
  inMeasure,
  keptWhatever,
  cleanFirst,
  leftWhilePaused,
  goneWhenFree,
  seenFirst,
  fewSessions,
]

export const hostInvariants: readonly Held[] = [
  ...plainHostInvariants,
  readBackFirst(sight => (hostOf(sight)?.status?.engine?.stage === 'boot' ? ramdiskIso : disc)),
  bootsOurs,
]
