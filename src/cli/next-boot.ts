import type { Server, ServerBootConfiguration } from '../controllers/metal/resources.ts'
import { conditionOf } from '../core/condition.ts'
import { nextBoot } from '../policy/boot/next-boot.ts'
import { effectivePolicy } from '../policy/boot/policy.ts'
import { readProvisioned } from '../policy/boot/provisioned.ts'

/** What a server boots at its next commanded power-on, and what else there is to know about that. */
export interface BootOutlook {
  readonly server: string
  /** Left out where it boots nothing. */
  readonly method?: string
  readonly image?: string
  readonly because: string
  /** What has to happen first. */
  readonly first?: string
}

export interface OutlookFacts {
  readonly server: Server
  /** What its claim lets it boot. */
  readonly claimed: ServerBootConfiguration | undefined
  /** What its maintenance lets it boot. */
  readonly maintained: ServerBootConfiguration | undefined
}

/** The same rule that its controller boots by, told ahead. */
export function outlookOf({ server, claimed, maintained }: OutlookFacts): BootOutlook {
  const { name } = server.metadata
  const nothing = (because: string, first?: string): BootOutlook => ({ server: name, because, ...(first === undefined ? {} : { first }) })
  switch (server.status?.state) {
    case undefined:
    case 'Initial':
    case 'Discovery': {
      const next = nextBoot({ is: 'discovery' })
      return next.is === 'boot' ? { server: name, method: next.method.name, because: next.because } : nothing(next.because)
    }
    case 'Maintenance':
      if (!maintained) return nothing('its maintenance has no image of its own: nothing is told to it but its power')
      return told(name, maintained, nextBoot({ is: 'maintenance', policy: effectivePolicy(maintained.spec.bootPolicy) }))
    case 'Reserved': {
      if (!claimed) return nothing('its claim has not said yet what it boots', `rackwright why ${name}`)
      const stopped = conditionOf(server.status, 'UnexpectedPowerTransition')?.status === 'True'
      const provisioned = readProvisioned(claimed.metadata.annotations)
      const next = nextBoot({ is: 'claim', policy: effectivePolicy(claimed.spec.bootPolicy), provisioned })
      return {
        ...told(name, claimed, next),
        ...(stopped ? { first: `it stopped, and waits for somebody: rackwright resume ${name}` } : {}),
      }
    }
    case 'Parked':
      return nothing('it is parked', `rackwright unpark ${name}`)
    default:
      return nothing(`it is ${server.status?.state}: no claim has it, and nothing is booted without one`)
  }
}

function told(server: string, { spec, status }: ServerBootConfiguration, next: ReturnType<typeof nextBoot>): BootOutlook {
  if (next.is === 'hold') return { server, because: next.because, first: `rackwright adopt ${server}` }
  const { method, because } = next
  if (!method.fetches) return { server, method: method.name, because }
  const problem = conditionOf(status, 'ImageValid')
  const waits = status?.state === 'Ready' ? {} : { first: problem?.status === 'False' ? problem.message : 'its image is not ready yet' }
  return { server, method: method.name, ...(spec.image === undefined ? {} : { image: spec.image }), because, ...waits }
}

export const outlookText = ({ server, method, image, because, first }: BootOutlook): string =>
  [
    method === undefined
      ? `${server} boots nothing by itself: ${because}`
      : `${server} boots by ${method}${image === undefined ? '' : ` (${image})`}: ${because}`,
    ...(first === undefined ? [] : [`First: ${first}`]),
  ].join('\n')
