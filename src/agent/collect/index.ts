import { networkInterfaces } from 'node:os'
import type { Findings } from '../payload.ts'
import { disks } from './disks.ts'
import type { Files } from './files.ts'
import { type Addresses, interfaces } from './network.ts'
import { memoryBytes, processors, system } from './system.ts'

/** Looks at this machine: read-only, and without any program but this one. */
export async function collect(files: Files, systemUUID: string, addresses: Addresses = networkInterfaces): Promise<Findings> {
  return {
    systemUUID,
    system: await system(files),
    processors: await processors(files),
    interfaces: await interfaces(files, addresses),
    disks: await disks(files),
    memoryBytes: await memoryBytes(files),
  }
}
