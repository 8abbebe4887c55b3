import { firmwareComponents, firmwareSettings, hosts, updatePolicies } from '../../../src/controllers/metal3/resources.ts'
import { conditionOf } from '../../../src/core/condition.ts'
import { differingSettings } from '../../../src/policy/firmware/settings-diff.ts'
import type { Entry } from '../../../src/sim/action-log.ts'
import type { Invariant, Sight } from '../../../src/sim/invariant.ts'
import { firmwareVersion } from '../../../src/sim/machine/machine.ts'
import type { HostLab } from './lab.ts'

type Held = Invariant<HostLab>

const writes = ['bmc.update', 'bmc.setBios']
const changes = ['bmc.set', 'bmc.once', 'bmc.always', 'bmc.clear', 'bmc.insert', 'bmc.eject', ...writes]
const asks = (entry: Entry | undefined, calls: readonly string[]): entry is Entry => entry?.what === 'asks' && calls.includes(entry.call)
const told = ({ by, call, detail }: Entry): string => `${by} asks for ${call} ${JSON.stringify(detail).slice(0, 80)}`

const hostOf = (sight: Sight<HostLab>) => sight.objects(hosts)[0]
const machineOf = (sight: Sight<HostLab>) => sight.devices.rack.machine('srv-1')
const biosOf = (sight: Sight<HostLab>) => ({ ...machineOf(sight).model.bios, ...machineOf(sight).bios })

const notedFirst: Held = {
  name: 'I2 nothing is set or written on a host before it is noted durably',
  begin: sight => entry => {
    if (!asks(entry, writes)) return undefined
    const noted = hostOf(sight)?.status?.engine
    const fits =
      entry.call === 'bmc.update'
        ? noted?.step === 'update' && noted.update !== undefined
        : (noted?.step === 'setBios' || noted?.step === 'unsetBios') && (noted.asked?.length ?? 0) > 0
    return fits ? undefined : `${told(entry)}; noted is ${JSON.stringify(noted)}`
  },
}

const freshFirst: Held = {
  name: 'I2 nothing is set or written on a host without a fresh read of it and of what is wanted of its firmware',
  begin() {
    const read = new Map<string, Set<string>>()
    return entry => {
      const plural = entry?.what === 'hears' ? /^get (\S+) /.exec(entry.call)?.[1] : undefined
      if (entry && plural !== undefined) read.set(entry.by, (read.get(entry.by) ?? new Set()).add(plural))
      if (!asks(entry, writes)) return undefined
      const found = read.get(entry.by) ?? new Set()
      read.delete(entry.by)
      const all = [hosts, firmwareSettings, firmwareComponents, updatePolicies].map(({ plural: name }) => name)
      const missing = all.filter(name => !found.has(name))
      return missing.length === 0 ? undefined : `${told(entry)} without a fresh read of ${missing.join()}`
    }
  },
}

const nothingMeanwhile: Held = {
  name: 'I9 I11 nothing is switched, armed, set or flashed on a host while its controller has a task under way',
  begin: sight => entry => (asks(entry, changes) && sight.devices.rack.busy('srv-1') ? told(entry) : undefined),
}

const inItsTime: Held = {
  name: 'I11 firmware and settings are changed only while a host is prepared, or serviced as its policy says',
  begin: sight => entry => {
    if (!asks(entry, writes)) return undefined
    const { provisioning, operationalStatus } = hostOf(sight)?.status ?? {}
    const [policy] = sight.objects(updatePolicies)
    const serviced = provisioning?.state === 'provisioned' && operationalStatus === 'servicing' && policy?.spec !== undefined
    return provisioning?.state === 'preparing' || serviced
      ? undefined
      : `${told(entry)} while it is ${provisioning?.state}, ${operationalStatus}`
  },
}

const readBack: Held = {
  name: 'I10 I25 nobody says that a host has something before its machine has it',
  begin: sight => () => {
    for (const { component, version } of hostOf(sight)?.status?.firmwareUpdates ?? []) {
      const runs = firmwareVersion(machineOf(sight), component.toUpperCase())
      if (runs !== version) return `${component} is said to be ${version}, and ${runs} runs`
    }
    for (const { metadata, spec, status } of sight.objects(firmwareSettings)) {
      const changed = conditionOf(status, 'ChangeDetected')
      if (changed?.status !== 'False' || changed.observedGeneration !== metadata.generation) continue
      const other = differingSettings(spec?.settings ?? {}, biosOf(sight))
      if (other.length > 0) return `${other.join()} is said to be as wanted, and is ${JSON.stringify(biosOf(sight)[other[0]!])}`
    }
    return undefined
  },
}

const preparedFirst: Held = {
  name: 'I25 a host becomes available only with the firmware that is wanted, and with nothing of ours pending',
  begin(sight) {
    let from = ''
    return () => {
      const to = hostOf(sight)?.status?.provisioning?.state ?? ''
      const isDone = from === 'preparing' && to === 'available'
      from = to
      if (!isDone) return undefined
      const [found] = sight.objects(firmwareSettings)
      const checked = conditionOf(found?.status, 'Valid')?.observedGeneration === found?.metadata.generation
      const other = checked ? differingSettings(found?.spec?.settings ?? {}, biosOf(sight)) : []
      const pending = Object.entries(machineOf(sight).biosPending ?? {}).filter(([name, value]) => biosOf(sight)[name] !== value)
      return other.length > 0 || pending.length > 0
        ? `it is available; not as wanted: ${other.join()}; pending: ${pending.join()}`
        : undefined
    }
  },
}

const nothingInstalled: Held = {
  name: 'I1 I4 a host that is serviced boots what it was installed with, and is installed no second time',
  begin(sight) {
    let seen = 0
    return () => {
      const { happened } = sight.devices
      for (; seen < happened.length; seen++) {
        const event = happened[seen]!
        const { status } = hostOf(sight) ?? {}
        if (event.what !== 'boots' || status?.operationalStatus !== 'servicing') continue
        const wanted = status.provisioning?.image?.format === 'live-iso' ? 'Cd' : 'Hdd'
        if (event.from !== wanted) return `it boots from ${event.from} while it is serviced`
      }
      return undefined
    }
  },
}

export const hostFirmwareInvariants: readonly Held[] = [
  notedFirst,
  freshFirst,
  nothingMeanwhile,
  inItsTime,
  readBack,
  preparedFirst,
  nothingInstalled,
]
