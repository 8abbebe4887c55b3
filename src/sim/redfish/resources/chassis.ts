import { serialOf } from '../../machine/identity.ts'
import type { Extra } from '../node.ts'
import { collection, fixed, healthy, rolledUp, shape } from './shape.ts'

const numbers = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)

/** The box: power supplies, fans, temperatures. */
export const chassis: Extra = kit => {
  const { make, at } = kit
  const path = at.chassis
  collection(kit, `${at.root}/Chassis`, 'ChassisCollection', 'Chassis Collection', [make.ids.chassis])
  const body = shape(kit, path, 'Chassis.v1_22_0.Chassis', 'Chassis', {
    ChassisType: 'RackMount',
    Manufacturer: make.manufacturer,
    Model: make.model,
    IndicatorLED: 'Off',
    LocationIndicatorActive: false,
    Status: rolledUp,
    Power: at.to(`${path}/Power`),
    Thermal: at.to(`${path}/Thermal`),
    Links: { ComputerSystems: [at.to(at.system)], ManagedBy: [at.to(at.manager)] },
  })
  kit.node(path, {
    read: ({ machine }) => ({
      ...body,
      SerialNumber: serialOf(machine.number),
      PowerState: machine.power === 'On' || machine.power === 'PoweringOn' ? 'On' : 'Off',
    }),
  })
  const watts = shape(kit, `${path}/Power`, 'Power.v1_7_1.Power', 'Power', {
    PowerSupplies: numbers(2).map(n => ({
      '@odata.id': `${at.spell(`${path}/Power`)}#/PowerSupplies/${n}`,
      MemberId: String(n),
      Name: `PSU${n}`,
      PowerCapacityWatts: 1400,
      Status: healthy,
    })),
  })
  kit.node(`${path}/Power`, {
    read: ({ machine }) => ({
      ...watts,
      PowerControl: [
        { MemberId: '0', Name: 'System', PowerConsumedWatts: machine.stage === 'off' ? 18 : machine.stage === 'running' ? 310 : 240 },
      ],
    }),
  })
  fixed(kit, `${path}/Thermal`, 'Thermal.v1_7_1.Thermal', 'Thermal', {
    Fans: numbers(6).map(n => ({ MemberId: String(n), Name: `Fan${n}`, Reading: 6000, ReadingUnits: 'RPM', Status: healthy })),
    Temperatures: [{ MemberId: '0', Name: 'Inlet', ReadingCelsius: 22, Status: healthy }],
  })
}
