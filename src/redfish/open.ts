import type { Bmc, BmcAccess } from '../ports/bmc.ts'
import { connect, type Line, type RedfishOptions } from './connect.ts'
import { findMachine, resetsOf, sameMachine } from './identity.ts'
import { biosRole } from './roles/bios.ts'
import { bootRole } from './roles/boot.ts'
import { firmwareRole } from './roles/firmware.ts'
import { glanceRole } from './roles/glance.ts'
import { inventoryRole } from './roles/inventory.ts'
import { type Habits, type Machine, plainHabits } from './roles/machine.ts'
import { managerRole } from './roles/manager.ts'
import { mediaRole } from './roles/media.ts'
import { powerRole } from './roles/power.ts'
import { linkTo } from './transport/link.ts'
import { known } from './transport/read.ts'
import { Service } from './transport/service.ts'
import { type Quirk, quirks } from './vendors/index.ts'

export interface OpenBmc extends Bmc {
  /** Logs out. */
  close(): Promise<void>
}

/** Logs in, looks once who is there, and hands out what it can do. */
export async function openBmc(access: BmcAccess, options: RedfishOptions, signal?: AbortSignal): Promise<OpenBmc> {
  const line = connect(access, options)
  try {
    return { ...(await describe(line, access.system, { signal })), close: () => line.close() }
  } catch (error) {
    await line.close().catch(() => {})
    throw error
  }
}

export interface Looking {
  readonly signal?: AbortSignal | undefined
  /** Nothing will be changed: what only changes need is not asked for, and cannot be done then. */
  readonly reading?: boolean | undefined
}

/** Looks at the machine behind a line. May be called again when the machine has changed. */
export async function describe(line: Line, which: string | undefined, { signal, reading = false }: Looking = {}): Promise<Bmc> {
  const service = new Service(line.connection)
  const found = await findMachine(service, which, reading, signal)
  const { system, systemPath, identity } = found
  const known = quirks.filter(quirk => quirk.applies(identity))
  const habits: Habits = Object.assign({ ...plainHabits }, ...known.map(quirk => quirk.habits))
  service.allowInFlight(habits.inFlight)
  let verified = service.epoch
  service.guardChanges(async () => {
    if (service.epoch === verified) return
    const now = service.epoch
    sameMachine(service, identity, await service.get(systemPath))
    verified = now
  })
  const machine: Machine = {
    service,
    ...found,
    resets: reading ? [] : await resetsOf(service, system, signal),
    ...(reading ? {} : await settingsOf(service, system, signal)),
    habits,
  }
  return known.reduce((bmc: Bmc, quirk: Quirk) => quirk.wrap?.(bmc, machine) ?? bmc, rolesOf(machine))
}

async function settingsOf(
  service: Service,
  system: Machine['system'],
  signal?: AbortSignal,
): Promise<Pick<Machine, 'settings' | 'settingsPath'>> {
  const settingsPath = linkTo(system, '@Redfish.Settings', 'SettingsObject')
  const settings = settingsPath === undefined ? undefined : await service.find(settingsPath, signal)
  return settings === undefined || settingsPath === undefined ? {} : { settings, settingsPath }
}

const rolesOf = (machine: Machine): Bmc =>
  known<Bmc>({
    identity: machine.identity,
    glance: glanceRole(machine),
    power: powerRole(machine),
    boot: bootRole(machine),
    inventory: inventoryRole(machine),
    manager: managerRole(machine),
    media: mediaRole(machine),
    bios: biosRole(machine),
    firmware: firmwareRole(machine),
  })
