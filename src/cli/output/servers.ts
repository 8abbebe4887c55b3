import type { Server, ServerBootConfiguration, ServerClaim } from '../../controllers/metal/resources.ts'
import type { BareMetalHost } from '../../controllers/metal3/resources.ts'
import type { Instant } from '../../core/duration.ts'
import { provisionedAnnotation } from '../../policy/boot/provisioned.ts'
import { since } from './age.ts'
import { type Paint, paintState } from './paint.ts'
import { table } from './table.ts'

/** What is shown of servers: themselves, and what says what they boot. */
export interface Fleet {
  readonly servers: readonly Server[]
  readonly claims: readonly ServerClaim[]
  readonly configurations: readonly ServerBootConfiguration[]
  /** Of Metal3, where there are any. */
  readonly hosts: readonly BareMetalHost[]
}

export const serverHeadings = ['SERVER', 'MAKE', 'MODEL', 'POWER', 'STATE', 'CLAIM', 'BOOT', 'AGE'] as const

/** One line per server; the same one in `get`, in `up` and in the demo. */
export function serverRow(
  server: Server,
  { configurations }: Pick<Fleet, 'configurations'>,
  now: Instant,
  paint: Paint,
): readonly string[] {
  const { metadata, spec, status } = server
  const claim = spec.serverClaimRef
  return [
    metadata.name,
    brief(status?.manufacturer),
    status?.model ?? '',
    paintState(paint, status?.powerState ?? '-'),
    paintState(paint, spec.unclaimable && status?.state === 'Available' ? 'Available, cordoned' : (status?.state ?? 'new')),
    claim ? `${claim.namespace}/${claim.name}` : '-',
    bootText(server, configurations, paint),
    since(metadata.creationTimestamp, now),
  ]
}

/** `Dell Inc.` → `Dell`; `Hewlett Packard Enterprise` → `HPE`. */
export function brief(manufacturer: string | undefined): string {
  if (manufacturer === undefined) return ''
  return /hewlett/i.test(manufacturer) ? 'HPE' : manufacturer.replace(/,? (inc|ltd|corp|corporation|gmbh)\.?$/i, '')
}

/** The boot that was commanded last, and whether what it installed counts as installed. */
export function bootText({ status }: Server, configurations: readonly ServerBootConfiguration[], paint: Paint): string {
  const boot = status?.boot
  if (!boot) return '-'
  const of = configurations.find(({ metadata }) => metadata.uid === boot.configuration?.uid)
  const provisioned = of?.metadata.annotations?.[provisionedAnnotation] === 'true'
  const words = `${boot.method} #${boot.attempt} ${boot.step === 'Ended' ? (boot.outcome ?? 'ended').toLowerCase() : boot.step.toLowerCase()}`
  if (boot.purpose === 'Discovery') return `discovery: ${words}`
  const fromDisk = boot.method === 'Hdd' || boot.outcome === 'Installed'
  return `${words}${provisioned ? paint.green(fromDisk ? ', from disk' : ', provisioned') : ''}`
}

export const serverTable = (fleet: Fleet, now: Instant, paint: Paint): string =>
  fleet.servers.length === 0
    ? 'There are no servers yet. rackwright bmc add <address> adds one.'
    : table(
        serverHeadings,
        inOrder(fleet.servers).map(server => serverRow(server, fleet, now, paint)),
        paint,
      )

const claimHeadings = ['CLAIM', 'SERVER', 'IMAGE', 'POWER', 'PHASE', 'WHY', 'AGE'] as const

export const claimTable = ({ claims }: Pick<Fleet, 'claims'>, now: Instant, paint: Paint): string =>
  table(
    claimHeadings,
    claims.map(({ metadata, spec, status }) => [
      `${metadata.namespace ?? ''}/${metadata.name}`,
      spec.serverRef?.name ?? '-',
      spec.image,
      spec.power,
      paintState(paint, status?.phase ?? 'new'),
      status?.conditions?.find(c => c.status === 'False' && (c.type === 'ImageValid' || c.type === 'Bound'))?.message ?? '',
      since(metadata.creationTimestamp, now),
    ]),
    paint,
  )

/** `server-2` before `server-10`. */
const inOrder = (servers: readonly Server[]): readonly Server[] =>
  servers.toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name, 'en', { numeric: true }))
