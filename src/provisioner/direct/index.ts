import type { Instant } from '../../core/duration.ts'
import { sameUuid } from '../../policy/identity.ts'
import type { BmcPool } from '../../ports/bmc.ts'
import type { EngineMemory, HostOrder, Provisioner, Turn, Work } from '../../ports/provisioner.ts'
import { clean, leave } from './clean.ts'
import { deployLiveIso } from './live-iso.ts'
import { powerOff, powerOn } from './power.ts'
import { read, type Sight, silent } from './sight.ts'
import { carryOut } from './steps.ts'
import { done, failed, withMachine } from './turns.ts'

export const poolName = ({ namespace, name }: Pick<HostOrder, 'namespace' | 'name'>): string => `host/${namespace}/${name}`

/** Our own engine: Redfish by the roles that servers use, too. Nothing else has to be installed. */
export const directEngine = (pool: BmcPool): Provisioner => ({
  name: 'direct',
  async look(host, work, _, signal) {
    try {
      return await pool.use(poolName(host), bmc => read(bmc, work, work === 'inspect' && host.inspection === 'fast', signal), signal)
    } catch (error) {
      return silent(error)
    }
  },
  judge: (host, work, memory, sight, now) => judge(host, work, memory, sight as Sight, now),
  perform: (host, step, signal) => pool.use(poolName(host), bmc => carryOut(bmc, step, signal), signal),
  forget: host => pool.forget(poolName(host)),
})

const needsRamdisk = 'no ramdisk is set up, and this needs the agent that runs in one'

function judge(host: HostOrder, work: Work, memory: EngineMemory | undefined, sight: Sight, now: Instant): Turn {
  if (!host.address.direct) return failed(`${host.address.scheme} is not spoken by this engine: it needs the ironic engine`, false)
  const stranger = strangerOf(host, sight)
  if (stranger !== undefined) return failed(stranger)
  const begun = { work, memory, now }
  switch (work) {
    case 'register':
      if (sight.is === 'silent') return failed(sight.because)
      return done('its management controller answers', {
        powered: sight.power === 'On',
        ...(sight.uuid === undefined ? {} : { systemUUID: sight.uuid }),
      })
    case 'inspect':
      if (host.inspection === 'agent')
        return failed(`${needsRamdisk}: set inspectionMode to fast to ask its management controller alone`, false)
      if (sight.is === 'silent') return failed(sight.because)
      return sight.inventory
        ? done('its management controller told what it is made of', { inventory: sight.inventory })
        : failed('nothing was found')
    case 'prepare':
      return host.raid ? failed(`${needsRamdisk}: its RAID volumes cannot be made`, false) : done('there is nothing to prepare')
    case 'deploy':
      if (host.image?.format !== 'live-iso' || host.customDeploy !== undefined) return failed(`${needsRamdisk}; a live-iso does not`, false)
      return withMachine(sight, machine => deployLiveIso(machine, host, begun))
    case 'clean':
      return withMachine(sight, machine => clean(machine, host, begun))
    case 'powerOn':
      return withMachine(sight, machine => powerOn(machine, begun))
    case 'powerOff':
      return withMachine(sight, machine => powerOff(machine, host, begun))
    case 'letGo':
      return withMachine(sight, machine => (host.neverOff ? done('it is left as it is') : leave(machine, host, begun)))
    default:
      return work satisfies never
  }
}

/** Somebody may have put another machine into its place: that one is never touched. */
const strangerOf = ({ systemUUID, address }: HostOrder, sight: Sight): string | undefined =>
  sight.is === 'there' && systemUUID !== undefined && sight.uuid !== undefined && !sameUuid(sight.uuid, systemUUID)
    ? `another machine answers at ${address.hostname}: its UUID is ${sight.uuid}, and ${systemUUID} was registered. If that is meant, delete the host and make it anew`
    : undefined
