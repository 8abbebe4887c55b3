import type { BareMetalHost, HostFirmwareComponents, HostFirmwareSettings, HostUpdatePolicy } from '../../controllers/metal3/resources.ts'
import { type Chain, end, link } from './chain.ts'
import { conditionIn } from './remedies.ts'

/** What says which firmware a host is to have. */
export interface HostFirmware {
  readonly settings?: HostFirmwareSettings | undefined
  readonly components?: HostFirmwareComponents | undefined
  readonly policy?: HostUpdatePolicy | undefined
}

type Engine = NonNullable<NonNullable<BareMetalHost['status']>['engine']>

/** How far the present work has come, in words. */
export function comeTo({ step, asked, update }: Engine): string {
  if (update) {
    const percent = update.percent === undefined ? '' : `, ${update.percent} % when it last came further`
    return `writes ${update.component} (it had ${update.before}${percent}), and has come to ${step}`
  }
  return `${asked && asked.length > 0 ? `sets ${asked.join(', ')}, and ` : ''}has come to ${step}`
}

/** Why the firmware of a host that rests is not what somebody wants it to be; undefined where it is, or nobody does. */
export function whyFirmware({ metadata }: BareMetalHost, { settings, components, policy }: HostFirmware): Chain | undefined {
  const of = `-n ${metadata.namespace ?? 'default'}`
  for (const found of [settings, components]) {
    const valid = conditionIn(found?.status, 'Valid')
    if (found && valid?.status === 'False')
      return end(
        link(found.kind, `cannot be brought about: ${valid.message}`, valid.lastTransitionTime),
        'whoever wants that',
        `kubectl ${of} edit ${found.kind.toLowerCase()} ${metadata.name}`,
      )
  }
  const open = [settings, components].find(found => conditionIn(found?.status, 'ChangeDetected')?.status === 'True')
  if (!open) return undefined
  const changed = conditionIn(open.status, 'ChangeDetected')
  const when = open.kind === 'HostFirmwareSettings' ? policy?.spec?.firmwareSettings : policy?.spec?.firmwareUpdates
  return when === 'onReboot'
    ? end(
        link(open.kind, `${changed?.message || 'is another'}; that waits for its next restart`, changed?.lastTransitionTime),
        'whoever may restart it',
        `rackwright power host/${metadata.name} cycle`,
      )
    : end(
        link(open.kind, `${changed?.message || 'is another'}; that waits until it is prepared again`, changed?.lastTransitionTime),
        'you, with a HostUpdatePolicy that lets it be done at a restart',
        `kubectl ${of} edit hostupdatepolicy ${metadata.name}`,
      )
}
