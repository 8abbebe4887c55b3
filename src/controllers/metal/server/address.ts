import { parseInstant } from '../../../core/instant.ts'
import type { BootAttempt, BootTickets } from '../../../ports/boot-artifacts.ts'
import type { Artifact } from '../../../ports/images.ts'
import type { Server } from '../resources.ts'

/** Where a BMC reads the disc of the noted boot, with its ticket. */
export const discOf = (tickets: BootTickets, server: Server, image: string): string | undefined => {
  const attempt = attemptOf(server)
  return attempt && tickets.mediaUri(attempt, image)
}

/** Where firmware fetches the noted boot, with its ticket. Given to the BMC and compared with what it shows; never written anywhere else. */
export function ticketed(tickets: BootTickets, server: Server, artifact: Artifact, image: string): string | undefined {
  const attempt = attemptOf(server)
  return attempt && tickets.bootUri(attempt, artifact, image)
}

function attemptOf({ metadata, status }: Server): BootAttempt | undefined {
  const boot = status?.boot
  if (!boot?.configuration) return undefined
  return {
    serverUID: metadata.uid ?? '',
    configurationUID: boot.configuration.uid,
    generation: boot.configuration.generation,
    attempt: boot.attempt,
    expires: parseInstant(boot.expires) ?? 0,
  }
}
