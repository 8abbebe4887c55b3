import type { KubeObject } from '../../../core/object.ts'
import type { StatusPatch } from '../../../core/plan.ts'
import type { ResourceRef } from '../../../ports/index.ts'
import type { ServerBIOS, ServerFirmware } from '../resources.ts'

export type Target = ServerBIOS | ServerFirmware
export type TargetStatus = NonNullable<Target['status']>
export type Program = NonNullable<TargetStatus['lastJob']>['program']

/** One thing that is not as it is wanted, and the program that sets it right. */
export interface Difference {
  readonly program: Program
  readonly reason: string
  readonly text: string
}

/** What tells ServerBIOS and ServerFirmware apart; everything else they share. */
export interface Subject<T extends Target & KubeObject> {
  readonly kind: 'ServerBIOS' | 'ServerFirmware'
  readonly controller: string
  readonly prefix: string
  readonly resource: ResourceRef<T>
  /** Where the Server refers back to it. */
  readonly backRef: 'biosRef' | 'firmwareRef'
  readonly scan: Program
  /** Whether a scan has told anything yet. */
  isKnown(object: T): boolean
  /** What differs, in the order in which it is set right. */
  differences(object: T): readonly Difference[]
  /** What the status holds although the spec does not ask for it any more. */
  surplus(object: T): StatusPatch
}
