import { conditionOf } from '../../../core/condition.ts'
import type { KubeObject } from '../../../core/object.ts'
import type { Entitlement } from '../../../ports/index.ts'
import type { FirmwareOrder } from '../../../ports/provisioner.ts'
import {
  type BareMetalHost,
  firmwareComponents,
  firmwareSettings,
  type HostFirmwareComponents,
  type HostFirmwareSettings,
  type HostUpdatePolicy,
  updatePolicies,
} from '../resources.ts'

/** What is wanted of the firmware of a host, by the objects of its name. */
export interface SeenFirmware {
  /** What its engine is to bring about, in its present phase; undefined where nothing is. */
  readonly order: FirmwareOrder | undefined
  /** It is not as it is wanted, and may be brought there while the host is prepared. */
  readonly due: boolean
  /** The same, at a restart of an installed host. */
  readonly dueAtRestart: boolean
  /** What somebody wants and nobody has checked yet; and whether that could be for a restart of an installed host. */
  readonly unchecked: string | undefined
  readonly uncheckedAtRestart: boolean
  /** Another text is another wish. */
  readonly wish: string
  /** Its objects that are not there, or do not say whose they are. */
  readonly lacks: readonly Lack[]
  /** What entitles to changes of its firmware. */
  readonly entitles: readonly Entitlement[]
}

export type Lack = { readonly kind: 'HostFirmwareSettings' | 'HostFirmwareComponents' | 'HostUpdatePolicy'; readonly found: boolean }

export interface FirmwareObjects {
  readonly settings: HostFirmwareSettings | undefined
  readonly components: HostFirmwareComponents | undefined
  readonly policy: HostUpdatePolicy | undefined
}

const none: FirmwareOrder = { settings: {}, updates: [] }

export function firmwareSeen(host: BareMetalHost, objects: FirmwareObjects): SeenFirmware {
  const { settings: hfs, components: hfc, policy } = objects
  const wishes = Object.keys(hfs?.spec?.settings ?? {}).length > 0
  const updates = hfc?.spec?.updates ?? []
  const installed = ['provisioned', 'externally provisioned'].includes(host.status?.provisioning?.state ?? '')
  const settings = wishes && isValid(hfs) ? (hfs?.spec?.settings ?? {}) : {}
  const written = host.status?.firmwareUpdates ?? []
  const open = isValid(hfc)
    ? updates.filter(update => !written.some(one => one.component === update.component && one.url === update.url))
    : []
  const differs = Object.keys(settings).length > 0 && conditionOf(hfs?.status, 'ChangeDetected')?.status === 'True'
  const atRestart = {
    settings: policy?.spec?.firmwareSettings === 'onReboot' ? settings : {},
    updates: policy?.spec?.firmwareUpdates === 'onReboot' ? open : [],
  }
  const order = installed ? atRestart : { settings, updates: open }
  const unchecked = [
    ...(wishes && !isChecked(hfs) ? ['HostFirmwareSettings' as const] : []),
    ...(updates.length > 0 && !isChecked(hfc) ? ['HostFirmwareComponents' as const] : []),
  ]
  const byPolicy = { HostFirmwareSettings: policy?.spec?.firmwareSettings, HostFirmwareComponents: policy?.spec?.firmwareUpdates }
  return {
    order: isNothing(order) ? undefined : order,
    due: differs || open.length > 0,
    dueAtRestart: (differs && !isNothing({ ...none, settings: atRestart.settings })) || atRestart.updates.length > 0,
    unchecked: unchecked.length === 0 ? undefined : unchecked.join(' and '),
    uncheckedAtRestart: unchecked.some(kind => byPolicy[kind] === 'onReboot'),
    wish: `settings ${hfs?.metadata.generation ?? 0}, updates ${hfc?.metadata.generation ?? 0}`,
    lacks: lacksOf(host, objects),
    entitles: entitlesOf(host, objects),
  }
}

const isNothing = ({ settings, updates }: FirmwareOrder): boolean => Object.keys(settings).length === 0 && updates.length === 0

type Checked = HostFirmwareSettings | HostFirmwareComponents | undefined

/** Somebody looked at what is wanted now, and not at what was wanted before. */
function isChecked(of: Checked): boolean {
  const valid = conditionOf(of?.status, 'Valid')
  return valid !== undefined && valid.observedGeneration === of?.metadata.generation
}

const isValid = (of: Checked): boolean =>
  of?.metadata.deletionTimestamp === undefined && isChecked(of) && conditionOf(of?.status, 'Valid')?.status === 'True'

/** Its settings belong to every host; its components only where their list was made. */
function lacksOf({ metadata }: BareMetalHost, { settings, components, policy }: FirmwareObjects): readonly Lack[] {
  const isOwn = (object: KubeObject): boolean => (object.metadata.ownerReferences ?? []).some(({ uid }) => uid === metadata.uid)
  const lack = (kind: Lack['kind'], object: KubeObject | undefined, made: boolean): readonly Lack[] => {
    if (object?.metadata.deletionTimestamp !== undefined) return []
    if (object) return isOwn(object) ? [] : [{ kind, found: true }]
    return made ? [{ kind, found: false }] : []
  }
  return [
    ...lack('HostFirmwareSettings', settings, true),
    ...lack('HostFirmwareComponents', components, false),
    ...lack('HostUpdatePolicy', policy, false),
  ]
}

function entitlesOf({ metadata }: BareMetalHost, { settings, components, policy }: FirmwareObjects): readonly Entitlement[] {
  const key = { name: metadata.name, namespace: metadata.namespace ?? '' }
  const wish = (of: Entitlement['of'], object: KubeObject | undefined): Entitlement =>
    object
      ? {
          of,
          key,
          wish: {
            uid: object.metadata.uid,
            generation: object.metadata.generation,
            deleting: object.metadata.deletionTimestamp !== undefined,
          },
        }
      : { of, key }
  return [wish(firmwareSettings, settings), wish(firmwareComponents, components), wish(updatePolicies, policy)]
}
