import { type Instant, type Millis, minutes, seconds } from '../../core/duration.ts'

/** Links a host to an InfraEnv; copied to its PreprovisioningImage. */
export const infraEnvLabel = 'infraenvs.agent-install.openshift.io'
export const overrideAnnotation = 'baremetal.openshift.io/ignition-override-uri'

/** Time for people to change their minds, and for whoever sets the annotation. */
const usualSettling: Millis = seconds(60)
/** Cleaning needs only the Ironic agent: a host that goes does not wait longer for somebody's Ignition. */
const leavingPatience: Millis = minutes(5)

export interface GateSeen {
  readonly created: Instant
  readonly linked: boolean
  readonly override: string | undefined
  /** Its host deprovisions or is being deleted. */
  readonly leaving: boolean
  /** How long images of hosts without an InfraEnv wait. */
  readonly settling: Millis
  /** How long those of linked hosts do; a minute. */
  readonly linkedSettling?: Millis
}

/** Whether an image may be built now, and with whose Ignition; or what it waits for. */
export type Gate =
  | { readonly is: 'open'; readonly override: string | undefined }
  | { readonly is: 'closed'; readonly reason: string; readonly because: string; readonly again: Millis | undefined }

export function imageGate(seen: GateSeen, now: Instant): Gate {
  const age = now - seen.created
  const wait = seen.linked ? (seen.linkedSettling ?? usualSettling) : seen.settling
  if (age < wait)
    return {
      is: 'closed',
      reason: 'Settling',
      because: `builds ${Math.ceil((wait - age) / 1_000)} s from now, so that it can still be changed`,
      again: wait - age,
    }
  if (seen.linked && seen.override === undefined) {
    const left = leavingPatience - age
    if (!seen.leaving)
      return {
        is: 'closed',
        reason: 'WaitingForIgnitionOverride',
        because: `waits for annotation ${overrideAnnotation}: its host belongs to an InfraEnv`,
        again: undefined,
      }
    if (left > 0)
      return {
        is: 'closed',
        reason: 'WaitingForIgnitionOverride',
        because: `waits for annotation ${overrideAnnotation}, at most until its host is cleaned without it`,
        again: left,
      }
  }
  return { is: 'open', override: seen.override }
}
