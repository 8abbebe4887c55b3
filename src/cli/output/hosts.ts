import type { BareMetalHost } from '../../controllers/metal3/resources.ts'
import type { Instant } from '../../core/duration.ts'
import { since } from './age.ts'
import { type Paint, paintState } from './paint.ts'
import { brief } from './servers.ts'
import { table } from './table.ts'

const headings = ['HOST', 'MAKE', 'MODEL', 'POWER', 'STATE', 'CONSUMER', 'IMAGE', 'AGE'] as const

/** One line per host of Metal3; the same one in `get` and in `up`. */
export const hostTable = (hosts: readonly BareMetalHost[], now: Instant, paint: Paint): string =>
  table(
    headings,
    hosts
      .toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name, 'en', { numeric: true }))
      .map(({ metadata, spec, status }) => {
        const made = status?.hardware?.systemVendor
        const installed = status?.provisioning?.image?.url || status?.provisioning?.customDeploy?.method
        return [
          `${metadata.namespace ?? ''}/${metadata.name}`,
          brief(made?.manufacturer),
          made?.productName ?? '',
          paintState(paint, status?.lastUpdated === undefined ? '-' : status.poweredOn ? 'On' : 'Off'),
          stateOf(status, paint),
          spec?.consumerRef?.name ?? '-',
          installed || '-',
          since(metadata.creationTimestamp, now),
        ]
      }),
    paint,
  )

function stateOf(status: BareMetalHost['status'], paint: Paint): string {
  const state = status?.provisioning?.state || 'new'
  if (status?.errorType !== undefined) return paint.red(`${state}: ${status.errorType}`)
  const aside = status?.operationalStatus === 'detached' || status?.operationalStatus === 'delayed' ? `, ${status.operationalStatus}` : ''
  return ['available', 'provisioned', 'externally provisioned'].includes(state)
    ? paint.green(`${state}${aside}`)
    : paint.yellow(`${state}${aside}`)
}
