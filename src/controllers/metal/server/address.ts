import { parseInstant } from '../../../core/instant.ts'
import type { BootTickets } from '../../../ports/boot-artifacts.ts'
import type { Artifact } from '../../../ports/images.ts'
import type { Server } from '../resources.ts'

/** Where firmware fetches the noted boot, with its ticket. Given to the BMC and compared with what it shows; never written anywhere else. */
export function ticketed(tickets: BootTickets, { metadata, status }: Server, artifact: Artifact, image: string): string | undefined {
  const boot = status?.boot
  if (!boot?.configuration) return undefined
  const attempt = {
    serverUID: metadata.uid ?? '',
    configurationUID: boot.configuration.uid,
    generation: boot.configuration.generation,
    attempt: boot.attempt,
    expires: parseInstant(boot.expires) ?? 0,
  }
  return tickets.bootUri(attempt, artifact, image)
}
