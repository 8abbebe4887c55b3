import { conditionOf } from '../../core/condition.ts'
import { hours, type Instant, type Millis, minutes, seconds } from '../../core/duration.ts'
import type { FirmwareSight, Provisioner } from '../../ports/provisioner.ts'
import { detachedAnnotation, pausedAnnotation } from './host/annotations.ts'
import { orderOf } from './host/order.ts'
import { phaseOf } from './host/phases.ts'
import type { BareMetalHost } from './resources.ts'

/** Whoever wants something that is being brought about looks often, everybody else now and then. */
export const often = seconds(30)
export const seldom = hours(1)
/** A controller that does not answer is asked again after this. */
export const patience = minutes(1)

/** What the firmware of hosts is, read by one process for all who show it. */
export interface FirmwareReadings {
  /** Undefined where the host is not asked: it is not registered, or left alone. */
  of(host: BareMetalHost, every: Millis, signal: AbortSignal): Promise<FirmwareSight | undefined>
}

/** Reads when nothing was read yet, after each move of a host, and when the last reading is old: each is many requests to a slow little computer. */
export function firmwareReadings({ engine, now }: { readonly engine: Provisioner; now(): Instant }): FirmwareReadings {
  const last = new Map<string, { readonly mark: string; readonly at: Instant; readonly sight: FirmwareSight }>()
  return {
    async of(host, every, signal) {
      const uid = host.metadata.uid ?? ''
      if (host.metadata.deletionTimestamp !== undefined) last.delete(uid)
      const order = orderOf(host, undefined)
      if (!isAsked(host) || !order || !engine.firmware) return undefined
      const mark = markOf(host)
      const before = last.get(uid)
      const good = before?.sight.is === 'silent' ? Math.min(every, patience) : every
      // A date that jumps makes it read once more.
      if (before?.mark === mark && Math.abs(now() - before.at) < good) return before.sight
      const sight = await engine.firmware.look(order, before?.sight, signal)
      last.set(uid, { mark, at: now(), sight })
      return sight
    },
  }
}

function isAsked({ metadata, spec, status }: BareMetalHost): boolean {
  const annotations = metadata.annotations ?? {}
  return (
    metadata.deletionTimestamp === undefined &&
    // Credentials go nowhere but where they were found good.
    status?.bmcAddress === spec?.bmc?.address &&
    conditionOf(status, 'Accepted')?.status !== 'False' &&
    !(pausedAnnotation in annotations) &&
    !(detachedAnnotation in annotations) &&
    status?.goodCredentials?.credentialsVersion !== undefined &&
    status.errorType !== 'registration error' &&
    status.errorType !== 'provisioned registration error' &&
    !['none', 'unmanaged', 'registering', 'deleting'].includes(phaseOf(status.provisioning?.state))
  )
}

/** Another text: its firmware may be another one. */
function markOf({ status }: BareMetalHost): string {
  const { engine, provisioning, operationalStatus } = status ?? {}
  const changes = engine?.work === 'prepare' || engine?.work === 'service'
  const moves = changes ? [engine.work, engine.attempt, provisioning?.state, operationalStatus] : []
  return JSON.stringify([status?.goodCredentials?.credentialsVersion, status?.firmwareUpdates ?? [], ...moves])
}

/** Something may be brought about at this moment. */
export const isWorkedOn = ({ status }: BareMetalHost): boolean =>
  status?.provisioning?.state === 'preparing' || status?.operationalStatus === 'servicing'
