import { Fault } from '../../core/fault.ts'
import type { Manager } from '../../ports/bmc.ts'
import { actionTarget } from '../transport/link.ts'
import { flag, known, part, text, texts } from '../transport/read.ts'
import { locatorOf } from './locator.ts'
import type { Machine } from './machine.ts'

type Health = Awaited<ReturnType<Manager['health']>>

export function managerRole(machine: Machine): Manager {
  const { service, system, systemPath, manager, managerPath, habits } = machine
  const lights = locatorOf(system)
  const target = manager && actionTarget(manager, '#Manager.Reset')
  return {
    async health(signal) {
      if (managerPath === undefined) return {}
      const now = await service.get(managerPath, signal)
      return known<Health>({
        health: text(part(now, 'Status'), 'Health'),
        state: text(part(now, 'Status'), 'State'),
        firmware: text(now, 'FirmwareVersion'),
        time: text(now, 'DateTime'),
      })
    },
    ...(lights === undefined
      ? {}
      : {
          async led(on: boolean, signal?: AbortSignal) {
            const now = await service.get(systemPath, signal)
            const lit = lights === 'IndicatorLED' ? text(now, lights) !== 'Off' : flag(now, lights)
            if (lit === on) return
            await service.patch(systemPath, { [lights]: lights === 'IndicatorLED' ? (on ? 'Lit' : 'Off') : on }, signal)
          },
        }),
    ...(target === undefined
      ? {}
      : {
          async reset(signal?: AbortSignal) {
            const offered = texts(part(manager, 'Actions', '#Manager.Reset'), 'ResetType@Redfish.AllowableValues')
            const type = offered.length === 0 ? 'GracefulRestart' : ['GracefulRestart', 'ForceRestart'].find(one => offered.includes(one))
            if (type === undefined)
              throw new Fault(
                'bmc/not-offered',
                `Cannot restart the BMC at ${service.name}: it offers ${offered.join(', ')}`,
                'when-changed',
              )
            await service.post(target, habits.bareManagerReset ? {} : { ResetType: type }, signal)
          },
        }),
  }
}
