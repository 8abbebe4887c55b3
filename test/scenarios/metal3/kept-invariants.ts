import { firmwareComponents, firmwareSettings, hosts } from '../../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../../src/core/duration.ts'
import { isObject } from '../../../src/core/json.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import { asks, changes, type Held, hostOf, wordsOf } from './invariants.ts'

const fenced: Held = {
  name: 'I2 nothing is written to a host but over the state that was seen',
  begin: () => entry => {
    if (entry?.what !== 'asks' || !entry.call.startsWith(`patch ${hosts.plural}`)) return undefined
    const metadata = isObject(entry.detail) && isObject(entry.detail['metadata']) ? entry.detail['metadata'] : {}
    return metadata['resourceVersion'] === undefined ? `${entry.by} writes ${JSON.stringify(entry.detail)}` : undefined
  },
}

/** Where a system runs that is somebody's: while it is installed, whatever ran before is nobody's. */
const withSystem = ['provisioned', 'externally provisioned', 'deprovisioning', 'powering off before delete']

const gracefulFirst: Held = {
  name: 'I8 no power is cut under a host’s system before it was asked, that arrived, and it was given three minutes',
  begin(sight) {
    let arrived: number | undefined
    const questions = new Set<string>()
    return entry => {
      if (entry?.call !== 'bmc.set') return undefined
      const call = `${entry.by} ${entry.nth}`
      if (entry.what === 'effect' && entry.detail === 'done' && questions.has(call)) arrived ??= entry.at
      if (!asks(entry, 'bmc.set')) return undefined
      const [, to, how] = wordsOf(entry)
      if (to === 'On') arrived = undefined
      if (to === 'Off' && how === 'graceful') questions.add(call)
      const { stage, agent, epoch } = sight.devices.rack.machine('srv-1')
      const { state = '' } = hostOf(sight)?.status?.provisioning ?? {}
      if (to !== 'Off' || how === 'graceful' || stage !== 'running' || agent?.epoch === epoch || !withSystem.includes(state))
        return undefined
      return arrived !== undefined && entry.at - arrived >= minutes(3) ? undefined : `${entry.by} cuts its power while its system runs`
    }
  },
}

const oneWriter: Held = {
  name: 'I17 a management controller is asked for one change at a time',
  begin() {
    const open = new Map<string, string>()
    return entry => {
      const call = entry && `${entry.call}#${entry.nth}`
      if (entry?.what === 'hears' && open.get(entry.by) === call) open.delete(entry.by)
      if (!asks(entry, ...changes)) return undefined
      const before = open.get(entry.by)
      open.set(entry.by, call ?? '')
      return before === undefined ? undefined : `${entry.by} asks for ${call} while ${before} is under way`
    }
  },
}

const bounded: Held = {
  name: 'I18 a machine is started three times within an hour at most without somebody wanting something else',
  begin(sight) {
    let times: number[] = []
    let seen = 0
    let wanted = ''
    return () => {
      const { metadata, spec } = hostOf(sight) ?? {}
      const firmware = [firmwareSettings, firmwareComponents].flatMap(of =>
        sight.objects<KubeObject>(of).map(({ metadata }) => metadata.generation),
      )
      const wishes = JSON.stringify([spec, metadata?.annotations, metadata?.deletionTimestamp, firmware])
      if (wishes !== wanted) times = []
      wanted = wishes
      const { happened } = sight.devices
      for (; seen < happened.length; seen++) {
        const event = happened[seen]!
        if (event.what !== 'reset' || event.by === 'OS') continue
        times = [...times.filter(at => event.at - at < hours(1)), event.at]
        if (times.length > 3) return `it is started for the ${times.length}th time within an hour, by ${event.by}`
      }
      return undefined
    }
  },
}

const honestGenerations: Held = {
  name: 'I25 observedGeneration of a host never runs ahead',
  begin: sight => entry => {
    const { metadata, status } = (entry === undefined && hostOf(sight)) || {}
    const [seen = 0, is = 0] = [status?.observedGeneration, metadata?.generation]
    return seen > is ? `it was observed at ${seen}, and is at ${is}` : undefined
  },
}

/** Of systems that run on hosts, and of management controllers, which are small. */
export const keptHostInvariants: readonly Held[] = [fenced, gracefulFirst, oneWriter, bounded, honestGenerations]
