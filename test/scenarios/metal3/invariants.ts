import { hosts } from '../../../src/controllers/metal3/resources.ts'
import { hours } from '../../../src/core/duration.ts'
import type { Entry } from '../../../src/sim/action-log.ts'
import type { Invariant } from '../../../src/sim/invariant.ts'
import type { HostLab } from './lab.ts'

type Held = Invariant<HostLab>

const wordsOf = ({ detail }: Entry): readonly string[] => (Array.isArray(detail) ? detail.map(String) : [])
const asks = (entry: Entry | undefined, ...calls: readonly string[]): entry is Entry => entry?.what === 'asks' && calls.includes(entry.call)

/** Which step an engine must have noted for a call. */
const stepOf = (entry: Entry): string => {
  const [, to] = wordsOf(entry)
  if (entry.call === 'bmc.set') return to === 'On' ? 'switchOn' : to === 'Off' ? 'switchOff' : 'restart'
  return { 'bmc.insert': 'insert', 'bmc.eject': 'eject', 'bmc.always': 'bootFrom', 'bmc.clear': 'disarm' }[entry.call] ?? entry.call
}
const changes = ['bmc.set', 'bmc.insert', 'bmc.eject', 'bmc.always', 'bmc.clear']

const notedFirst: Held = {
  name: 'I2 nothing is asked of a host’s machine before it is noted durably',
  begin: sight => entry => {
    if (!asks(entry, ...changes)) return undefined
    const noted = sight.objects(hosts)[0]?.status?.engine
    return noted?.step === stepOf(entry) ? undefined : `${entry.by} asks for ${entry.call}; noted is ${JSON.stringify(noted)}`
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
  name: 'I8 a disc is changed only while the machine is off',
  begin: sight => entry => {
    if (entry?.what !== 'effect' || !['bmc.insert', 'bmc.eject'].includes(entry.call)) return undefined
    const { power } = sight.devices.rack.machine('srv-1')
    return power === 'Off' ? undefined : `${entry.call} while its power is ${power}`
  },
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

export const hostInvariants: readonly Held[] = [notedFirst, freshFirst, discsWhileOff, notWhileGone, inMeasure]
