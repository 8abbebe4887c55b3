import { createHash } from 'node:crypto'
import { Fault } from '../../core/fault.ts'
import { sameVersion } from '../../policy/firmware/version-order.ts'
import type { FirmwareImages } from '../../ports/firmware-images.ts'
import { failed, refused } from './exit.ts'
import type { JobRunner } from './resources.ts'

export type Source = NonNullable<JobRunner['spec']['sources']>[number]

export interface Wanted {
  readonly component: string
  readonly manufacturer: string | undefined
  readonly model: string | undefined
  readonly version: string
}

const same = (a: string, b: string | undefined): boolean => a.trim().toLowerCase() === b?.trim().toLowerCase()

/** The source of a version; one for this very model and maker comes before one for all. */
export function sourceFor({ metadata, spec }: JobRunner, wanted: Wanted): Source {
  const fits = (spec.sources ?? []).filter(
    ({ component, manufacturer, model, version }) =>
      same(component, wanted.component) &&
      sameVersion(version, wanted.version) &&
      (manufacturer === undefined || same(manufacturer, wanted.manufacturer)) &&
      (model === undefined || same(model, wanted.model)),
  )
  const rank = ({ model, manufacturer }: Source): number => (model === undefined ? 0 : 2) + (manufacturer === undefined ? 0 : 1)
  const [best] = fits.toSorted((a, b) => rank(b) - rank(a))
  if (best) return best
  throw failed(
    `JobRunner ${metadata.name} has no source for ${wanted.component} ${wanted.version} (${wanted.manufacturer ?? 'maker unknown'}, ${wanted.model ?? 'model unknown'})`,
  )
}

/** The largest images of today are about 300 MB; a BMC takes half a gigabyte at most. */
const largest = 512 * 1024 * 1024

/** Reads all of it and compares what it hashes to; `keep` is for an image that is sent on. Nothing is handed out before it is known to be right. */
export async function verified(
  images: FirmwareImages,
  { url, digest }: Pick<Source, 'url' | 'digest'>,
  keep: boolean,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const hash = createHash('sha256')
  const kept: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of await images.open(url, signal)) {
      size += chunk.length
      if (size > largest) throw refused(`The image ${placeOf(url)} is larger than ${largest >> 20} MiB`)
      hash.update(chunk)
      if (keep) kept.push(chunk)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof Fault ? failed(error.message) : error
  }
  const found = `sha256:${hash.digest('hex')}`
  if (found !== digest)
    throw refused(
      `The image ${placeOf(url)} is not what the JobRunner says: it hashes to ${found}, expected ${digest}; nothing was handed to the BMC`,
    )
  return keep ? Buffer.concat(kept) : undefined
}

/** Without a query: such addresses carry signatures. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
