import { minutes, seconds } from '../../core/duration.ts'
import type { BiosValue } from '../../ports/bmc.ts'
import type { BootEntry, Times } from '../machine/model.ts'
import type { BootKind } from '../machine/world.ts'
import type { BiosEntry } from './personality.ts'

/** How long things take on a server of today, give or take. */
export const usualTimes: Times = {
  powerOn: seconds(5),
  powerOff: seconds(4),
  graceful: seconds(20),
  post: minutes(2),
  osStart: seconds(25),
  install: minutes(4),
  bmcRestart: minutes(2),
  update: minutes(3),
}

export const entry = (reference: string, name: string, kind: BootKind, path?: string): BootEntry => ({
  reference,
  name,
  kind,
  ...(path === undefined ? {} : { path }),
})

/** Device paths as EDK2 prints them. */
export const paths = {
  disk: 'PciRoot(0x0)/Pci(0x1D,0x0)/Pci(0x0,0x0)/NVMe(0x1,11-22-33-44-55-66-77-88)/HD(1,GPT,6A5DBA7C-7E1B-4A53-9E3C-2F4B8E3E0001,0x800,0x100000)',
  pxe: 'PciRoot(0x0)/Pci(0x2,0x0)/Pci(0x0,0x0)/MAC(025C00000000,0x1)/IPv4(0.0.0.0)',
  http: 'PciRoot(0x0)/Pci(0x2,0x0)/Pci(0x0,0x0)/MAC(025C00000000,0x1)/IPv4(0.0.0.0)/Uri()',
  cd: 'PciRoot(0x0)/Pci(0x14,0x0)/USB(0xD,0x0)/CDROM(0x0)',
  shell: 'Fv(7CB8BDC9-F8EB-4F34-AAEA-3EE4AF6516A1)/FvFile(7C04A583-9E3E-4F1C-AD65-E05268D0B4D1)',
} as const

export const choice = (name: string, value: string, ...others: readonly string[]): BiosEntry => ({
  name,
  type: 'Enumeration',
  value,
  values: [value, ...others],
})
export const toggle = (name: string, value: 'Enabled' | 'Disabled'): BiosEntry =>
  choice(name, value, value === 'Enabled' ? 'Disabled' : 'Enabled')
export const words = (name: string, value = '', maxLength = 255): BiosEntry => ({ name, type: 'String', value, maxLength })
export const whole = (name: string, value: number, minimum: number, maximum: number): BiosEntry => ({
  name,
  type: 'Integer',
  value,
  minimum,
  maximum,
})

export const valuesOf = (entries: readonly BiosEntry[]): Readonly<Record<string, BiosValue>> =>
  Object.freeze(Object.fromEntries(entries.map(({ name, value }) => [name, value])))
