import { biosContract } from './bios.ts'
import { bootContract } from './boot.ts'
import { firmwareContract } from './firmware.ts'
import { inventoryContract } from './inventory.ts'
import type { OpenMachine } from './machine.ts'
import { fencedContract, managerContract } from './manager.ts'
import { mediaContract } from './media.ts'
import { powerContract } from './power.ts'

export type { KnownMachine, OpenedMachine, OpenMachine } from './machine.ts'

/** Every role of a Bmc, on a fresh machine for each sentence; `changes` false leaves out all that writes. */
export function bmcContract(name: string, open: OpenMachine, { changes }: { readonly changes: boolean }): void {
  powerContract(name, open, changes)
  bootContract(name, open, changes)
  mediaContract(name, open, changes)
  biosContract(name, open, changes)
  firmwareContract(name, open, changes)
  inventoryContract(name, open)
  managerContract(name, open)
  fencedContract(name, open)
}
