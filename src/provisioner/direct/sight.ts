import { Fault } from '../../core/fault.ts'
import type { Bmc, HardwareInventory, MediaSlot, Override, PowerState } from '../../ports/bmc.ts'
import type { Work } from '../../ports/provisioner.ts'

/** What one look at a host's controller showed. */
export type Sight =
  | {
      readonly is: 'there'
      readonly power: PowerState
      readonly uuid: string | undefined
      readonly armed: Override
      /** Undefined where it was not asked, or the controller has no virtual drives. */
      readonly slots: readonly MediaSlot[] | undefined
      readonly hasMedia: boolean
      readonly inventory: HardwareInventory | undefined
      /** Firmware or BIOS jobs under way: nothing is switched meanwhile. */
      readonly jobs: number
    }
  | { readonly is: 'silent'; readonly code: string; readonly because: string }

export type There = Extract<Sight, { readonly is: 'there' }>

const wantsSlots: readonly Work[] = ['deploy', 'clean', 'letGo']

/** Only what the work needs: each is a request to a slow little computer. */
export async function read(bmc: Bmc, work: Work, inspects: boolean, signal: AbortSignal): Promise<Sight> {
  const glance = await bmc.glance(signal)
  return {
    is: 'there',
    power: glance.power,
    uuid: glance.uuid,
    armed: glance.override ?? (await bmc.boot.override(signal)),
    slots: wantsSlots.includes(work) ? await bmc.media?.slots(signal) : undefined,
    hasMedia: bmc.media !== undefined,
    inventory: inspects ? await bmc.inventory.read(signal) : undefined,
    jobs: (await bmc.firmware?.running(signal))?.length ?? 0,
  }
}

export const silent = (error: unknown): Sight =>
  error instanceof Fault
    ? { is: 'silent', code: error.code, because: error.hint === undefined ? error.message : `${error.message} (${error.hint})` }
    : { is: 'silent', code: 'bmc/unknown', because: error instanceof Error ? error.message : String(error) }
