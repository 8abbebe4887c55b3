import { jobEnd } from '../../../src/api/batch/job.ts'
import { jobs, type ServerBIOS, type ServerFirmware, serverBioses, serverFirmwares } from '../../../src/controllers/firmware/resources.ts'
import { programLabel } from '../../../src/controllers/firmware/target/names.ts'
import { isScan } from '../../../src/controllers/firmware/target/trouble.ts'
import { servers } from '../../../src/controllers/metal/resources.ts'
import { conditionOf } from '../../../src/core/condition.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import { differingFirmware } from '../../../src/policy/firmware/component-match.ts'
import { differingSettings } from '../../../src/policy/firmware/settings-diff.ts'
import type { Entry } from '../../../src/sim/action-log.ts'
import type { Invariant, Sight } from '../../../src/sim/invariant.ts'
import { firmwareVersion } from '../../../src/sim/machine/machine.ts'
import type { Lab } from '../metal/lab.ts'
import { wanted, wantedPart } from './program.ts'

type Held = Invariant<Lab>

/** What writes firmware or settings. */
const writes = ['bmc.push', 'bmc.update', 'bmc.setBios']
const changes = ['bmc.set', 'bmc.once', 'bmc.clear', ...writes]
const asks = (entry: Entry | undefined, calls: readonly string[]): entry is Entry => entry?.what === 'asks' && calls.includes(entry.call)
const told = ({ by, call, detail }: Entry): string => `${by} asks for ${call} ${JSON.stringify(detail).slice(0, 80)}`

const nothingMeanwhile: Held = {
  name: 'I9 I11 nothing is switched, armed, set or flashed while the BMC has a task under way',
  begin: sight => entry => (asks(entry, changes) && sight.devices.rack.busy('srv-1') ? told(entry) : undefined),
}

const withLeave: Held = {
  name: 'I11 firmware and settings are written only to a server that names the job, and is Available and free or in the maintenance made for it',
  begin: sight => entry => {
    if (!asks(entry, writes)) return undefined
    const [server] = sight.objects(servers)
    const { updateRef, serverClaimRef, serverMaintenanceRef: held } = server?.spec ?? {}
    const state = server?.status?.state
    const free = updateRef?.maintenance
      ? held?.name === updateRef.maintenance.name && held.namespace === updateRef.maintenance.namespace && state === 'Maintenance'
      : !serverClaimRef && !held && state === 'Available'
    return updateRef && free ? undefined : `${told(entry)}: ${JSON.stringify(server?.spec)} ${server?.status?.state}`
  },
}

const whatIsWanted: Held = {
  name: 'I11 nothing is written that nobody wants any more',
  begin: sight => entry => {
    if (!asks(entry, writes)) return undefined
    const ref = sight.objects(servers)[0]?.spec.updateRef
    const object = targets(sight).find(({ metadata }) => metadata.uid === ref?.uid)
    const wish =
      object &&
      ('bios' in object.spec
        ? entry.call === 'bmc.setBios'
          ? object.spec.bios.settings
          : object.spec.bios.version
        : object.spec.firmwares)
    return wish !== undefined && Object.keys(wish).length > 0
      ? undefined
      : `${told(entry)} for ${ref?.job}; wanted is ${JSON.stringify(object?.spec)}`
  },
}

const notTwice: Held = {
  name: 'I26 what a machine runs is not written to it again',
  begin: sight => entry => {
    if (!asks(entry, ['bmc.push', 'bmc.update'])) return undefined
    const machine = sight.devices.rack.machine('srv-1')
    const [part, version] = entry.call === 'bmc.push' ? ['BIOS', wanted] : ['NIC.1', wantedPart]
    return firmwareVersion(machine, part) === version ? told(entry) : undefined
  },
}

const oneJob: Held = {
  name: 'I11 a server has one job at a time that changes it',
  begin: sight => () => {
    const going = sight.objects(jobs).filter(job => jobEnd(job) === undefined && !isScan(job.metadata.labels?.[programLabel] ?? ''))
    return going.length > 1 ? going.map(({ metadata }) => metadata.name).join() : undefined
  },
}

const readBack: Held = {
  name: 'I10 I25 nobody says that something is there before the machine has it',
  begin: sight => () => {
    const machine = sight.devices.rack.machine('srv-1')
    const runs = firmwareVersion(machine, 'BIOS')
    const installed = machine.model.firmware.map(({ id, name }) => ({ id, name, version: firmwareVersion(machine, id) ?? '' }))
    for (const { metadata, spec, status } of sight.objects(serverBioses)) {
      const { version, settings } = status?.bios ?? {}
      // What a scan of before says may be old; what is wanted and said to be there must be there.
      if (version !== undefined && version === spec.bios.version && runs !== version)
        return `${metadata.name} says ${version}, and ${runs} runs`
      const said = Object.fromEntries(Object.entries(settings ?? {}).filter(([name, value]) => value === spec.bios.settings[name]))
      const other = differingSettings(said, machine.bios ?? {})
      if (other.length > 0)
        return `${metadata.name} says that ${other.join()} is as wanted, and the machine has ${JSON.stringify(machine.bios)}`
    }
    for (const { metadata, spec, status } of sight.objects(serverFirmwares)) {
      const said = spec.firmwares.filter(wish => status?.firmwares?.some(one => one.name === wish.name && one.version === wish.version))
      const other = differingFirmware(said, installed)
      if (other.length > 0)
        return `${metadata.name} says that ${other[0]!.wish.name} runs ${other[0]!.wish.version}, and ${other[0]!.found} runs`
    }
    return undefined
  },
}

const leftAlone: Held = {
  name: 'I26 a machine that is as wanted is written to no more',
  begin: sight => entry => {
    if (!asks(entry, writes)) return undefined
    const all = targets(sight)
    const settled =
      all.length > 0 &&
      all.every(({ metadata, status }) => {
        const current = status?.observedGeneration === metadata.generation
        return current && conditionOf(status, 'InSync')?.status === 'True'
      })
    return settled ? told(entry) : undefined
  },
}

const givenUp: Held = {
  name: 'I26 an update that was given up is not tried again while the wish is the same',
  begin: sight => {
    let since: number | undefined
    return entry => {
      const [object] = targets(sight)
      const { generation } = object?.metadata ?? {}
      const { trouble } = object?.status ?? {}
      const before = since !== undefined && since === generation
      if (trouble && trouble.next === undefined && trouble.generation === generation) since = generation
      // What was asked for before may be made late: the job that it is finds no leave.
      return before && asks(entry, ['create jobs']) && !isScan(programOf(entry.detail)) ? told(entry) : undefined
    }
  },
}

const programOf = (job: unknown): string => (job as KubeObject).metadata.labels?.[programLabel] ?? ''

const targets = (sight: Sight<Lab>): readonly (ServerBIOS | ServerFirmware)[] => [
  ...sight.objects(serverBioses),
  ...sight.objects(serverFirmwares),
]

export const firmwareInvariants = [nothingMeanwhile, withLeave, whatIsWanted, oneJob, readBack, leftAlone, notTwice, givenUp]
