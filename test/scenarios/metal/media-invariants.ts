import { configurations } from '../../../src/controllers/metal/resources.ts'
import { discOf } from '../../../src/controllers/metal/server/address.ts'
import { minutes } from '../../../src/core/duration.ts'
import { asksHardware, isOpen, type Metal, machineOf, serverOf, wordsOf } from './invariants.ts'

const discNoted: Metal = {
  name: 'I15 no disc is in a drive that is not noted',
  begin: sight => () => {
    const { rack } = sight.devices
    const machine = rack.machine('srv-1')
    const slot = serverOf(sight, machine.name)?.status?.boot?.slot
    const left = Object.entries(machine.media ?? {}).find(([drive, { leaving }]) => !leaving && slot?.split('/').at(-1) !== drive)
    return left && `a disc is in ${left[0]} of ${machine.name}, and noted is ${slot ?? 'none'}`
  },
}

const discReadBack: Metal = {
  name: 'I7 no machine is switched on to boot a disc before it was read back that it is in',
  begin(sight) {
    const unread = new Set<string>()
    return entry => {
      if (entry?.what !== 'asks' || !entry.call.startsWith('bmc.')) return undefined
      const [machine = '', to] = wordsOf(entry)
      const who = `${entry.by} ${machine}`
      if (entry.call === 'bmc.insert') unread.add(who)
      if (entry.call === 'bmc.slots') unread.delete(who)
      if (entry.call !== 'bmc.set' || to !== 'On' || serverOf(sight, machine)?.status?.boot?.method !== 'VirtualMedia') return undefined
      return unread.has(who) ? `${entry.by} switches ${machine} on without having looked into its drive` : undefined
    }
  },
}

const bootsOurs: Metal = {
  name: 'I7 I4 a machine boots from a disc only while that boot is noted and open, and from the disc of that boot',
  begin(sight) {
    let seen = 0
    return () => {
      const { happened, tickets, rack } = sight.devices
      for (; seen < happened.length; seen++) {
        const event = happened[seen]!
        if (event.what !== 'boots' || event.from !== 'Cd') continue
        const server = serverOf(sight, event.server)
        const boot = server?.status?.boot
        if (!server || !isOpen(server) || boot?.method !== 'VirtualMedia')
          return `${event.server} boots a disc, noted is ${JSON.stringify(boot)}`
        const image = sight.objects(configurations).find(({ metadata }) => metadata.uid === boot.configuration?.uid)?.spec.image ?? ''
        const discs = Object.values(rack.machine(event.server).media ?? {}).map(medium => medium.image)
        if (!discs.includes(discOf(tickets, server, image) ?? ''))
          return `${event.server} boots another disc than that of boot ${boot.attempt}`
      }
      return undefined
    }
  },
}

const heldUntilOff: Metal = {
  name: 'I8 no disc is taken out under a system that runs from it before that was asked to shut down and given five minutes',
  begin(sight) {
    const asked = new Map<string, number>()
    return entry => {
      if (!asksHardware(entry)) return undefined
      const [machine = '', to] = wordsOf(entry)
      if (entry.call === 'bmc.set' && to === 'On') asked.delete(machine)
      if (entry.call === 'bmc.set' && to === 'Off' && !asked.has(machine)) asked.set(machine, entry.at)
      const { stage, source } = machineOf(sight, machine)
      if (entry.call !== 'bmc.eject' || stage !== 'running' || source !== 'Cd') return undefined
      const since = asked.get(machine)
      return since !== undefined && entry.at - since >= minutes(5)
        ? undefined
        : `${entry.by} takes the disc from ${machine}, which runs from it`
    }
  },
}

/** Of boots from discs. */
export const mediaInvariants: readonly Metal[] = [discNoted, discReadBack, bootsOurs, heldUntilOff]
