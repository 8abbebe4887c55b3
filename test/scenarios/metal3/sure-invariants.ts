import { type DataImage, dataImages, secrets } from '../../../src/controllers/metal3/resources.ts'
import { minutes } from '../../../src/core/duration.ts'
import { isObject } from '../../../src/core/json.ts'
import { sameUuid } from '../../../src/policy/identity.ts'
import type { Sight } from '../../../src/sim/invariant.ts'
import { asks, changes, type Held, hostOf } from './invariants.ts'
import type { HostLab } from './lab.ts'

const ofMachine = changes.filter(call => call.startsWith('bmc.'))

const nothingMeanwhile: Held = {
  name: 'I9 nothing is switched, armed or put in while the management controller writes firmware or settings',
  begin: sight => entry =>
    asks(entry, ...ofMachine) && sight.devices.rack.busy('srv-1')
      ? `${entry.by} asks for ${entry.call} while a task is under way`
      : undefined,
}

const passwordIn = (sight: Sight<HostLab>): string => atob(sight.objects(secrets)[0]?.data?.['password'] ?? '')

const newPassword: Held = {
  name: 'I19 what a process asks after it has read another password goes over a session of that one, and the old session is gone',
  begin(sight) {
    const read = new Map<string, string>()
    return entry => {
      if (entry?.what === 'hears' && entry.call.startsWith('get secrets ')) read.set(entry.by, passwordIn(sight))
      if (entry?.what !== 'asks' || !entry.call.startsWith('bmc.')) return undefined
      const { rack } = sight.devices
      const { stale } = rack.counts('srv-1')
      return read.get(entry.by) === rack.password('srv-1') && stale > 0
        ? `${entry.by} asks for ${entry.call}, and ${stale} sessions were made with a password that does not count any more`
        : undefined
    }
  },
}

const fewLogins: Held = {
  name: 'I19 a host’s password that was refused twice is not tried a third time within five minutes',
  begin(sight) {
    const times: number[] = []
    return () => {
      const { refused } = sight.devices.rack.counts('srv-1')
      while (times.length < refused) times.push(sight.elapsed)
      const third = times.at(-3)
      return third !== undefined && sight.elapsed - third < minutes(5) ? 'three logins were refused within five minutes' : undefined
    }
  },
}

const rightMachine: Held = {
  name: 'I20 nothing is asked of a machine before it said to whoever asks that it is the one that was registered',
  begin(sight) {
    const said = new Map<string, string>()
    return entry => {
      // One that only stood still remembers what it heard; a new one does not.
      if (entry?.what === 'life' && entry.call === 'starts') said.delete(entry.by)
      if (entry?.call === 'bmc.glance' && entry.what === 'hears' && isObject(entry.detail) && typeof entry.detail['uuid'] === 'string')
        said.set(entry.by, entry.detail['uuid'])
      if (!asks(entry, ...ofMachine)) return undefined
      const uuid = said.get(entry.by)
      const registered = hostOf(sight)?.status?.systemUUID
      return uuid !== undefined && registered !== undefined && sameUuid(uuid, registered)
        ? undefined
        : `${entry.by} asks for ${entry.call}; the machine said that it is ${uuid ?? 'nobody'}, and ${registered ?? 'none'} was registered`
    }
  },
}

/** So long after the last change of anything, whoever looks has looked. */
const looked = minutes(3)

const leftAsItIs: Held = {
  name: 'I26 of a host that is as it is wanted nothing is written, and its management controller is only read',
  begin(sight) {
    let was = ''
    let since = 0
    let seen = 0
    return entry => {
      const is = restOf(sight)
      if (is !== was) since = sight.elapsed
      was = is
      const rests = is !== '' && sight.elapsed - since > looked
      const { wrote } = sight.devices
      const sent = wrote.slice(seen).map(({ method, url }) => `${method} ${url}`)
      seen = wrote.length
      if (rests && sent.length > 0) return `its management controller gets ${sent.join(', ')}`
      return rests && entry?.what === 'asks' && !entry.reads && !entry.call.includes(' leases') && entry.by !== 'user'
        ? `${entry.by} asks for ${entry.call}`
        : undefined
    }
  },
}

/** Everything by which one could see that something is to be done, but for what we write ourselves; nothing where something is. */
function restOf(sight: Sight<HostLab>): string {
  const { metadata, spec, status } = hostOf(sight) ?? {}
  const { power, media, armed } = sight.devices.rack.machine('srv-1')
  const { state = '', image } = status?.provisioning ?? {}
  const discs = sight.objects(dataImages)
  const asWanted =
    status?.operationalStatus === 'OK' &&
    metadata?.deletionTimestamp === undefined &&
    power === (spec?.online ? 'On' : 'Off') &&
    !Object.keys(metadata?.annotations ?? {}).some(name => name.startsWith('reboot.metal3.io')) &&
    discs.every(isSettled) &&
    (state === 'provisioned'
      ? spec?.image?.url === image?.url
      : state === 'externally provisioned'
        ? spec?.externallyProvisioned === true
        : state === 'available' && !spec?.image && spec?.raid === undefined)
  const wished = discs.map(({ metadata: { uid, generation } }) => [uid, generation])
  const wishes = [
    wished,
    metadata?.uid,
    metadata?.generation,
    metadata?.annotations,
    passwordIn(sight),
    sight.devices.rack.password('srv-1'),
  ]
  return asWanted ? JSON.stringify([...wishes, media, armed]) : ''
}

/** It is in a drive as it is wanted, or waits for the next start of its host. */
const isSettled = ({ metadata, spec, status }: DataImage): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.begun === undefined &&
  (status?.attachedImage?.url === spec?.url || (spec?.immediate !== true && status?.attachedImage === undefined))

/** Of what is not sure, and of what is done. */
export const sureHostInvariants: readonly Held[] = [nothingMeanwhile, newPassword, fewLogins, rightMachine, leftAsItIs]
