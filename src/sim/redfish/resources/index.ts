import type { Extra } from '../node.ts'
import { accounts } from './accounts.ts'
import { bios } from './bios.ts'
import { bootResources } from './boot.ts'
import { certificates } from './certificates.ts'
import { chassis } from './chassis.ts'
import { events } from './events.ts'
import { memory, nics, processors } from './inventory.ts'
import { logs } from './logs.ts'
import { manager } from './manager.ts'
import { media } from './media.ts'
import { power } from './power.ts'
import { registries } from './registries.ts'
import { secureBoot } from './secure-boot.ts'
import { serviceRoot } from './service-root.ts'
import { sessions } from './sessions.ts'
import { storage } from './storage.ts'
import { system } from './system.ts'
import { tasks } from './tasks.ts'
import { update } from './update.ts'

/** Everything that a Redfish service of ours has, before vendors add to it. */
export const resources: readonly Extra[] = [
  serviceRoot,
  sessions,
  accounts,
  system,
  power,
  bootResources,
  bios,
  secureBoot,
  processors,
  memory,
  nics,
  storage,
  chassis,
  manager,
  media,
  update,
  tasks,
  events,
  logs,
  certificates,
  registries,
]
