import { bios } from '../../controllers/firmware/bios/subject.ts'
import { components } from '../../controllers/firmware/components/subject.ts'
import type { ServerBIOS, ServerFirmware } from '../../controllers/firmware/resources.ts'
import { conditionOf } from '../../core/condition.ts'

type Target = ServerBIOS | ServerFirmware

/** What is known of one object, and what would be done for it. */
export interface Outlook {
  readonly kind: string
  readonly name: string
  readonly server: string
  readonly found: string
  readonly wanted: string
  readonly sync: 'yes' | 'no' | 'unknown'
  readonly scanned: string | undefined
  readonly job: string | undefined
  /** What would be done, in order, with the restarts that each takes at most. */
  readonly steps: readonly { readonly program: string; readonly what: string; readonly restarts: number }[]
  /** Why it is not being done; undefined where nothing is to be done, or it is. */
  readonly notYet: string | undefined
}

const isBios = (target: Target): target is ServerBIOS => target.kind === 'ServerBIOS'

export function outlookOf(target: Target): Outlook {
  const { kind, metadata, spec, status } = target
  const known = isBios(target) ? bios.isKnown(target) : components.isKnown(target)
  const differences = known ? (isBios(target) ? everything(target) : components.differences(target)) : []
  const sync = conditionOf(status, 'InSync')
  const accepted = conditionOf(status, 'Accepted')
  const job = status?.runningJob?.name
  const notYet = accepted?.status === 'False' ? accepted.message : !known ? 'it has not been scanned yet' : sync?.message
  return {
    kind,
    name: metadata.name,
    server: spec.serverRef.name,
    found: isBios(target) ? (target.status?.bios?.version ?? '') : `${target.status?.firmwares?.length ?? 0} components`,
    wanted: isBios(target) ? (target.spec.bios.version ?? '') : `${target.spec.firmwares.length} versions`,
    sync: !known ? 'unknown' : differences.length === 0 ? 'yes' : 'no',
    scanned: status?.lastScanTime,
    job,
    steps: differences.map(({ program, text }) => ({ program, what: text, restarts: 1 })),
    notYet: (known && differences.length === 0) || job !== undefined ? undefined : notYet || undefined,
  }
}

/** Settings come after the version: for a plan they are told together. */
function everything(target: ServerBIOS) {
  const first = bios.differences(target)
  if (first[0]?.program !== 'bios-version-update') return first
  const { version: _, ...rest } = target.spec.bios
  return [...first, ...bios.differences({ ...target, spec: { ...target.spec, bios: rest } })]
}
