import type { BiosValue } from '../../ports/bmc.ts'
import type { MachineModel } from '../machine/model.ts'
import type { ResetType } from '../machine/power.ts'
import type { Extra } from '../redfish/node.ts'

/** A make of server as Redfish clients meet it: what it offers, where it keeps it, and what it is peculiar about. Data; shared by all its machines. */
export interface Personality {
  readonly name: string
  /** Absent from the ServiceRoot where the vendor leaves it out. */
  readonly vendor?: string
  readonly product?: string
  readonly redfishVersion: string
  readonly manufacturer: string
  readonly model: string
  readonly managerModel: string
  readonly ids: { readonly system: string; readonly manager: string; readonly chassis: string }
  /** Links end in a slash. */
  readonly slash?: true
  readonly machine: MachineModel
  readonly power: PowerOffer
  readonly boot: BootOffer
  readonly bios: BiosOffer
  readonly media: MediaOffer
  readonly update: UpdateOffer
  readonly protocol: Protocol
  /** Accounts are added to a collection, or sit in a fixed number of slots. */
  readonly accountSlots?: number
  /** Resources that only this vendor has, and own versions of common ones. */
  readonly extras?: readonly Extra[]
}

export interface PowerOffer {
  readonly resetTypes: readonly ResetType[]
  /** Whether the values stand at the action, or in an ActionInfo resource. */
  readonly listed: 'inline' | 'action-info'
  /** The answer to a reset into the present state. */
  readonly already: 204 | 400 | 409
  /** Reset types of the manager; none where the action takes no parameter. */
  readonly managerResets: readonly string[]
}

export interface BootOffer {
  readonly targets: readonly string[]
  /** Listed only after this BIOS setting is in force. */
  readonly targetNeeds?: { readonly target: string; readonly attribute: string; readonly value: BiosValue }
  readonly lasts: readonly ('Once' | 'Continuous' | 'Disabled')[]
  /** Whether the values of Enabled are listed. */
  readonly listsLasts?: true
  readonly httpBootUri?: true
  readonly bootNext?: true
  /** What the resource says where nobody set a mode. */
  readonly mode: 'UEFI' | null
  /** Name of the settings object of the System, and what has to be written there instead of to the System. */
  readonly settings?: { readonly name: string; readonly takes: 'override' | 'order' | 'both'; readonly listsTargets?: true }
  readonly orderWritable: boolean
  /** Properties that every PATCH of Boot has to carry. */
  readonly needs?: readonly string[]
  readonly refusesNone?: true
}

export interface BiosEntry {
  readonly name: string
  readonly type: 'Enumeration' | 'String' | 'Integer' | 'Boolean' | 'Password'
  readonly value: BiosValue
  readonly values?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly readOnly?: true
}

export interface BiosOffer {
  readonly entries: readonly BiosEntry[]
  readonly settings: string
  /** What the settings object shows besides what is pending. */
  readonly shows: 'pending' | 'all' | 'nothing-until-set'
  readonly applyTimes?: readonly string[]
  /** What Bios.AttributeRegistry says; null where the vendor leaves it empty. */
  readonly registry: string | null
  /** Id of the registry file, where it is another word than `registry`. */
  readonly registryFile: string
  readonly registryUri: string
  readonly language: string
  readonly resetRequired: boolean
  /** Changes become a job that runs at the next reset. */
  readonly asJob?: true
}

export interface MediaSlotOffer {
  readonly id: string
  readonly name: string
  readonly types: readonly string[]
  /** By action, by PATCH, or only through the browser's console. */
  readonly insert: 'action' | 'patch' | 'none'
}

export interface MediaOffer {
  readonly under: readonly ('Systems' | 'Managers')[]
  readonly slots: readonly MediaSlotOffer[]
  /** Slots under Systems may have other names. */
  readonly systemSlots?: readonly MediaSlotOffer[]
  readonly refuses?: readonly string[]
  readonly needs?: readonly string[]
  /** Parameters that take one value only, where they are given. */
  readonly mustBe?: Readonly<Record<string, string | boolean>>
  readonly schemes: readonly string[]
  /** Shows that something is inserted, and not what. */
  readonly hidesImage?: true
  /** EjectMedia shows only while something is inserted. */
  readonly ejectAppears?: true
}

export interface UpdateOffer {
  /** Where SimpleUpdate is; absent where the vendor has none. */
  readonly simpleUpdate?: string
  readonly multipart?: string
  readonly push?: string
  /** Uploading and starting are two calls. */
  readonly twoPhases?: true
  readonly applyTimes?: readonly string[]
  /** Where the answer names the task. */
  readonly names: 'location' | 'message-args' | 'error-shaped'
  readonly monitorOf: (id: string) => string
  /** Looking at the monitor of a finished task removes the task. */
  readonly monitorForgets?: true
  /** The task ends at once and says which job goes on. */
  readonly becomesJob?: true
  /** A new task answers 404 for a while. */
  readonly appearsAfter?: number
  readonly forgottenAfter?: number
  /** Waiting firmware shows as a component of its own. */
  readonly pendingSuffix?: string
}

export interface Protocol {
  /** Absent where the service does not know `$expand`. */
  readonly expandLevels?: number
  readonly select?: true
  readonly only?: true
  readonly pageSize?: number
  readonly etag: 'none' | 'weak' | 'strong'
  /** PATCH without a fitting If-Match: taken, refused where it does not fit, or refused where there is none. */
  readonly ifMatch: 'ignored' | 'checked' | 'required'
  readonly ifMatchOnActions: 'ignored' | 'refused'
  /** Empty bodies of actions are refused. */
  readonly actionsNeedBody?: true
  readonly refusesDuringPost?: true
  readonly sessionLimit: number
  readonly sessionSeconds: number
  readonly lockout: { readonly failures: number; readonly seconds: number }
  readonly loginsPerMinute?: number
  /** Message ids of this vendor instead of the standard ones. */
  readonly says?: Readonly<Record<string, string>>
}
