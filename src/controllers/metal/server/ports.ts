import type { EvidenceLevel } from '../../../policy/boot/evidence.ts'
import type { BmcPool } from '../../../ports/bmc.ts'
import type { BootTickets } from '../../../ports/boot-artifacts.ts'
import type { ControllerKube } from '../../../ports/index.ts'

export interface ServerPorts {
  readonly kube: ControllerKube
  /** Keyed by the BMC's name. */
  readonly pool: BmcPool
  readonly tickets: BootTickets
  /** Names this run of this process in notes; another one's are not acted upon at once. */
  readonly identity: string
  /** Where configurations of our own are. */
  readonly namespace: string
  /** What is booted to look at a server. */
  readonly probeImage: string
  /** What counts as a first boot where a policy does not say; `ArtifactServed` unless told. */
  readonly provisionedWhen?: EvidenceLevel
  /** False where another boot server serves: then power alone must do as evidence. */
  readonly servesBoots?: boolean
  /** Nobody may have a server before something says that its disks were wiped (condition Sanitized). */
  readonly requireSanitized?: boolean
  /** True while everything is only looked at, after a restore. */
  observeOnly?(): boolean
}
