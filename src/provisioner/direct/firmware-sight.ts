import { Fault } from '../../core/fault.ts'
import { differingSettings } from '../../policy/firmware/settings-diff.ts'
import { type HostComponent, hostComponents } from '../../policy/metal3/host-components.ts'
import type { BiosAttribute, BiosValue, Bmc, BmcTask, BootEvidence } from '../../ports/bmc.ts'
import type { EngineMemory, HostOrder } from '../../ports/provisioner.ts'
import type { Answer } from './firmware-answers.ts'

type Settings = Readonly<Record<string, BiosValue>>

/** What one look at the firmware of a machine showed. */
export interface FirmwareLook {
  /** Undefined where its controller shows none. */
  readonly settings: Settings | undefined
  readonly pending: Settings
  /** Read only before something is asked for: it is large. */
  readonly registry: readonly BiosAttribute[] | undefined
  readonly components: readonly HostComponent[]
  readonly ways: readonly ('update' | 'push')[]
  /** The task that writes a component, where it is known which. */
  readonly task: BmcTask | undefined
  readonly running: readonly string[]
  readonly answer: Answer | undefined
  readonly evidence: BootEvidence
}

/** Whether its firmware matters to the present work at all: something is wanted of it, or was begun. */
export const concernsFirmware = ({ firmware }: HostOrder, memory: EngineMemory | undefined): boolean =>
  (firmware !== undefined && (firmware.updates.length > 0 || Object.keys(firmware.settings).length > 0)) ||
  memory?.update !== undefined ||
  (memory?.asked?.length ?? 0) > 0

interface Known extends Pick<FirmwareLook, 'evidence' | 'answer' | 'running'> {
  readonly memory: EngineMemory | undefined
}

export async function lookAtFirmware(
  bmc: Bmc,
  wanted: Settings,
  { memory, evidence, answer, running }: Known,
  signal: AbortSignal,
): Promise<FirmwareLook> {
  const { bios, firmware } = bmc
  const settings = await bios?.settings(signal)
  const pending = (await bios?.pending(signal)) ?? {}
  const asks = memory?.update === undefined && differingSettings(wanted, { ...settings, ...pending }).length > 0
  const task = memory?.update ? (memory.update.task ?? answer?.task) : undefined
  return {
    settings,
    pending,
    registry: asks ? await registryOf(bmc, signal) : undefined,
    components: await componentsOf(bmc, signal),
    ways: (await firmware?.ways(signal)) ?? [],
    task: task === undefined ? undefined : await firmware?.task(task, signal),
    running,
    answer,
    evidence,
  }
}

export async function componentsOf({ bios, firmware, manager }: Bmc, signal: AbortSignal): Promise<readonly HostComponent[]> {
  if (!firmware) return []
  return hostComponents({
    bios: await bios?.version(signal),
    bmc: (await manager.health(signal)).firmware,
    list: await firmware.components(signal),
  })
}

export async function registryOf({ bios }: Bmc, signal: AbortSignal): Promise<readonly BiosAttribute[] | undefined> {
  try {
    return await bios?.registry?.(signal)
  } catch (error) {
    // Then the values that the machine shows have to do for names and types.
    if (error instanceof Fault && error.code === 'bmc/not-offered') return undefined
    throw error
  }
}
