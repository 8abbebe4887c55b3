import type { Bmc, Glance, MachineHealth } from '../../ports/bmc.ts'
import { known, part, text } from '../transport/read.ts'
import { overrideOf } from './boot.ts'
import { overridePlace } from './boot-place.ts'
import { litOf } from './locator.ts'
import type { Machine } from './machine.ts'
import { powerStateOf } from './power.ts'

/** One read of the System. Its override is part of it where it is told there, and by a name that needs no list of boot options. */
export function glanceRole(machine: Machine): Bmc['glance'] {
  const { service, systemPath, habits } = machine
  const here = overridePlace(machine).path === systemPath
  return async signal => {
    const system = await service.get(systemPath, signal)
    const boot = part(system, 'Boot')
    const override =
      here && boot !== undefined && text(boot, 'BootSourceOverrideEnabled') !== undefined ? overrideOf(boot, undefined) : undefined
    return known<Glance>({
      power: powerStateOf(system),
      uuid: text(system, 'UUID')?.toLowerCase(),
      serial: text(system, 'SerialNumber'),
      health: healthOf(system),
      evidence: habits.evidence(system),
      override: override?.target === 'Other' ? undefined : override,
      lit: litOf(system),
    })
  }
}

/** With all its parts where it adds them up, otherwise its own. */
function healthOf(system: Parameters<typeof part>[0]): MachineHealth | undefined {
  const status = part(system, 'Status')
  const said = text(status, 'HealthRollup') ?? text(status, 'Health')
  return (['OK', 'Warning', 'Critical'] as const).find(one => one === said)
}
