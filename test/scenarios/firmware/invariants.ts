import { serverBioses } from '../../../src/controllers/firmware/resources.ts'
import { servers } from '../../../src/controllers/metal/resources.ts'
import type { Invariant } from '../../../src/sim/invariant.ts'
import { firmwareVersion } from '../../../src/sim/machine/machine.ts'
import type { Lab } from '../metal/lab.ts'
import { wanted } from './program.ts'

const changes = ['bmc.set', 'bmc.once', 'bmc.clear', 'bmc.push']

const nothingMeanwhile: Invariant<Lab> = {
  name: 'I9 I11 nothing is switched, armed or flashed while the BMC has a task under way',
  begin: sight => entry => {
    if (entry?.what !== 'asks' || !changes.includes(entry.call)) return undefined
    return sight.devices.rack.busy('srv-1') ? `${entry.by} asks for ${entry.call} ${JSON.stringify(entry.detail).slice(0, 80)}` : undefined
  },
}

const withLeave: Invariant<Lab> = {
  name: 'I11 firmware is written only to a server that is Available, free, and names the job',
  begin: sight => entry => {
    if (entry?.what !== 'asks' || entry.call !== 'bmc.push') return undefined
    const server = sight.objects(servers).find(({ metadata }) => metadata.name === 'srv-1-system-0')
    const { updateRef, serverClaimRef } = server?.spec ?? {}
    return updateRef && !serverClaimRef && server?.status?.state === 'Available'
      ? undefined
      : `${entry.by} flashes: ${JSON.stringify(server?.spec)}`
  },
}

const readBack: Invariant<Lab> = {
  name: 'I10 I25 nobody says that the version is there before the machine runs it',
  begin: sight => () => {
    const machine = sight.devices.rack.machine('srv-1')
    const runs = firmwareVersion(machine, 'BIOS')
    const told = sight.objects(serverBioses).find(({ status }) => status?.bios?.version === wanted)
    return told && runs !== wanted ? `${told.metadata.name} says ${wanted}, and ${runs} runs` : undefined
  },
}

export const firmwareInvariants = [nothingMeanwhile, withLeave, readBack]
