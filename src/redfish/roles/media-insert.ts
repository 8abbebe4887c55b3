import { Fault } from '../../core/fault.ts'
import { isRefusal } from '../transport/refusal.ts'
import type { Service } from '../transport/service.ts'

/**
 * Services disagree on what InsertMedia must and must not carry: Supermicro refuses Inserted, OpenBMC and others want it, some want the
 * protocol, DGX wants a user. So from the least upwards, only while the refusal is about the values.
 */
export async function insertByAction(service: Service, target: string, iso: string, signal?: AbortSignal): Promise<void> {
  const least = { Image: iso }
  const protocol = { TransferProtocolType: protocolOf(iso) }
  const streamed = { Inserted: true, TransferMethod: 'Stream' }
  await firstTaken(
    [
      least,
      { ...least, ...protocol },
      { ...least, Inserted: true, WriteProtected: true },
      { ...least, ...protocol, ...streamed },
      { ...least, ...protocol, ...streamed, WriteProtected: true, UserName: 'none', Password: 'none' },
    ].map(body => () => service.post(target, body, signal)),
  )
}

/** Slots without the action (Lenovo's EXT slots) take the image as a change of themselves. */
export async function insertByChange(service: Service, slot: string, iso: string, signal?: AbortSignal): Promise<void> {
  await firstTaken(
    [{ Image: iso, Inserted: true }, { Image: iso }, { Image: iso, Inserted: true, WriteProtected: true }].map(
      body => () => service.patch(slot, body, signal),
    ),
  )
}

async function firstTaken(tries: readonly (() => Promise<unknown>)[]): Promise<void> {
  let first: unknown
  for (const attempt of tries) {
    try {
      await attempt()
      return
    } catch (error) {
      if (!isRefusal(error, 'bmc/refused')) throw error
      first ??= error
    }
  }
  throw first
}

function protocolOf(iso: string): string {
  const scheme = /^([a-z]+):/i.exec(iso)?.[1]?.toUpperCase()
  if (scheme === 'HTTP' || scheme === 'HTTPS' || scheme === 'NFS') return scheme
  if (scheme === 'CIFS' || scheme === 'SMB') return 'CIFS'
  throw new Fault('bmc/refused', `Cannot insert an image: "${iso.slice(0, 20)}" names no way that BMCs fetch images by`, 'when-changed', {
    hint: 'Give an http or https URL.',
  })
}
