import { Fault } from '../../core/fault.ts'
import type { OfferedStep } from '../../policy/metal3/agent-plan.ts'
import type { Bmc, BootTarget, HardwareInventory, MachineHealth, MediaSlot, Override, PowerState } from '../../ports/bmc.ts'
import type { AgentCommand } from '../../ports/ironic-agent.ts'
import type { EngineMemory, HostOrder, RamdiskFiles, Work } from '../../ports/provisioner.ts'
import type { Heard } from '../agent/place.ts'
import type { Answer } from './firmware-answers.ts'
import { concernsFirmware, type FirmwareLook, lookAtFirmware } from './firmware-sight.ts'
import { isLive } from './live-iso.ts'

/** What one look at a host showed: at its controller, or at the agent that works on it. */
export type Sight =
  | {
      readonly is: 'there'
      readonly power: PowerState
      readonly uuid: string | undefined
      readonly health?: MachineHealth
      /** When it was reset last; undefined where it does not say. */
      readonly reset?: string
      readonly armed: Override
      /** Undefined where it was not asked, or the controller has no virtual drives. */
      readonly slots: readonly MediaSlot[] | undefined
      readonly hasMedia: boolean
      /** Whether it takes an address to boot from, and keeps a boot device for good. */
      readonly takesUri: boolean
      readonly keeps: boolean
      /** The kind of the first entry of its boot order, and the entry that is a disk; only where that matters. */
      readonly order: { readonly first: BootTarget | 'Other' | undefined; readonly disk: string | undefined } | undefined
      readonly inventory: HardwareInventory | undefined
      /** Firmware or BIOS jobs under way: nothing is switched meanwhile. */
      readonly jobs: number
      /** Only where something is wanted of its firmware, or was begun. */
      readonly firmware?: FirmwareLook
      /** What would be booted to work on it; undefined where nothing is. */
      readonly ramdisk?: RamdiskFiles | { readonly missing: string }
    }
  | { readonly is: 'silent'; readonly code: string; readonly because: string }
  | AgentSight

export interface AgentSight {
  readonly is: 'agent'
  readonly heard: Heard | undefined
  /** Undefined where it has not called yet. */
  readonly said?: { readonly commands: readonly AgentCommand[]; readonly steps?: readonly OfferedStep[] } | { readonly unreachable: string }
  /** What was found on the machine, by whichever way it came. */
  readonly inventory?: HardwareInventory
  /** What the system that is installed shall be told, and cannot be. */
  readonly lacks?: string
}

export type There = Extract<Sight, { readonly is: 'there' }>

const wantsSlots: readonly Work[] = ['deploy', 'clean', 'letGo', 'inspect']

/** Only what the work needs: each is a request to a slow little computer. */
export async function read(
  bmc: Bmc,
  host: HostOrder,
  work: Work,
  { memory, answer }: { readonly memory: EngineMemory | undefined; readonly answer: Answer | undefined },
  signal: AbortSignal,
): Promise<There> {
  const glance = await bmc.glance(signal)
  const fast = work === 'inspect' && host.inspection === 'fast'
  // Whether its disc has to be made its boot device once more before it starts.
  const isOff = (work === 'powerOn' || work === 'service') && glance.power !== 'On'
  const startsLive = isLive(host) && memory?.slot !== undefined && (isOff || (host.neverOff && (work === 'powerOff' || work === 'service')))
  const slots =
    startsLive || (wantsSlots.includes(work) && !fast) || (work === 'prepare' && (memory?.slot !== undefined || host.raid !== undefined))
  const running = (await bmc.firmware?.running(signal)) ?? []
  const leaves = (work === 'clean' || work === 'letGo') && (memory?.asked?.length ?? 0) > 0
  const concerned = leaves || ((work === 'prepare' || work === 'service') && concernsFirmware(host, memory))
  const known = { memory, evidence: glance.evidence, answer, running }
  const firmware = concerned ? await lookAtFirmware(bmc, leaves ? {} : (host.firmware?.settings ?? {}), known, signal) : undefined
  return {
    is: 'there',
    power: glance.power,
    uuid: glance.uuid,
    ...(glance.health === undefined ? {} : { health: glance.health }),
    ...(glance.evidence.lastResetTime === undefined ? {} : { reset: glance.evidence.lastResetTime }),
    armed: glance.override ?? (await bmc.boot.override(signal)),
    slots: slots ? await bmc.media?.slots(signal) : undefined,
    hasMedia: bmc.media !== undefined,
    takesUri: bmc.boot.takesUri,
    keeps: bmc.boot.always !== undefined,
    order: memory?.stage === 'leave' && work === 'deploy' ? await orderOf(bmc, signal) : undefined,
    inventory: fast ? await bmc.inventory.read(signal) : undefined,
    jobs: running.length,
    ...(firmware ? { firmware } : {}),
  }
}

async function orderOf({ boot }: Bmc, signal: AbortSignal): Promise<There['order']> {
  if (!boot.order || !boot.setOrder || !boot.options) return undefined
  const [order, options] = [await boot.order(signal), await boot.options(signal)]
  const kindOf = (reference: string | undefined) => options.find(option => option.reference === reference)?.kind
  return { first: kindOf(order[0]), disk: order.find(reference => kindOf(reference) === 'Hdd') }
}

export const silent = (error: unknown): Extract<Sight, { readonly is: 'silent' }> => ({
  is: 'silent',
  code: error instanceof Fault ? error.code : 'bmc/unknown',
  because: wordsOf(error),
})

export const wordsOf = (error: unknown): string =>
  error instanceof Fault && error.hint !== undefined
    ? `${error.message} (${error.hint})`
    : error instanceof Error
      ? error.message
      : String(error)
