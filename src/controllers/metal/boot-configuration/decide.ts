import { isFalse, isTrue } from '../../../core/condition.ts'
import { minutes, seconds } from '../../../core/duration.ts'
import { idle, type Plan, wait } from '../../../core/plan.ts'
import { imageFit } from '../../../policy/boot/image-fit.ts'
import { firstBootMethod } from '../../../policy/boot/next-boot.ts'
import type { BootPolicy } from '../../../policy/boot/policy.ts'
import type { FetchState } from '../../../ports/boot-artifacts.ts'
import type { Artifact } from '../../../ports/images.ts'
import { type ReadImage, reasonOf } from '../read-image.ts'

export interface Seen {
  readonly generation: number
  readonly deleting: boolean
  readonly image: string | undefined
  readonly architecture: string
  readonly policy: BootPolicy
  /** What was pinned, if it was for this generation. */
  readonly pinned: Pinned | undefined
  /** The image as the registry shows it; undefined where it is pinned already. */
  readonly found: ReadImage | undefined
  readonly fetch: FetchState | undefined
  /** Digests of what was found that are on the boot server's shelf already. */
  readonly shelved: readonly string[]
  /** Where each artefact will be served. */
  readonly addresses: Readonly<Partial<Record<Artifact['role'], string>>>
}

export interface Pinned {
  readonly digest: string
  readonly artifacts: readonly Artifact[]
}

/** Pins the image, brings it to the boot server, says where it is: the second of two looks at an image, and the one that counts. */
export function decide(seen: Seen): Plan<never> {
  if (seen.deleting) return idle('it is going')
  if (seen.image === undefined) return refuse('NoImage', 'it names no image', minutes(10))
  return seen.pinned ? bring(seen, seen.pinned) : pin(seen, seen.image)
}

function pin(seen: Seen, image: string): Plan<never> {
  const { found, architecture, generation } = seen
  if (!found) return idle(`reads image ${image}`)
  if (found.is === 'unreadable') return refuse(reasonOf(found.code), found.because, minutes(found.mayRecover ? 1 : 5))
  const { facts } = found
  const fit = imageFit(
    firstBootMethod(seen.policy),
    { reference: image, architecture: facts.architecture, architectures: facts.architectures, roles: facts.artifacts.map(a => a.role) },
    architecture,
  )
  if (!fit.fits) return refuse(fit.reason, fit.because, minutes(5))
  // Garden Linux and its like need a squashfs besides; it goes along wherever there is one.
  const artifacts = facts.artifacts.filter(a => fit.uses.includes(a.role) || (a.role === 'squashfs' && seen.policy.firstBoot === 'Pxe'))
  const pinned = { digest: facts.digest, artifacts }
  const because = `pins ${image} at ${facts.digest}`
  // What another server has booted before is there, and needs no second look.
  if (artifacts.every(({ digest }) => seen.shelved.includes(digest)))
    return idle(because, { status: { ...ready(seen, pinned), image: { generation, ...pinned } } })
  return idle(because, {
    status: {
      state: 'Pending',
      httpBootURI: null,
      image: { generation, ...pinned },
      conditions: [isTrue('ImageValid', 'Fits', `${image} can be booted by ${seen.policy.firstBoot}`)],
    },
    again: 0,
  })
}

const ready = ({ addresses, policy }: Seen, { digest }: Pinned) => ({
  state: 'Ready',
  httpBootURI: (policy.firstBoot === 'UefiHttp' ? addresses.uki : undefined) ?? null,
  conditions: [isTrue('ImageValid', 'Served', digest)],
})

function bring(seen: Seen, pinned: Pinned): Plan<never> {
  const { fetch } = seen
  if (!fetch) return idle('asks for its artefacts')
  switch (fetch.is) {
    case 'fetching':
      return wait(`fetches the image: ${mebibytes(fetch.bytes)} of ${mebibytes(fetch.of)} MiB`, seconds(2), {
        status: { state: 'Pending' },
      })
    case 'failed':
      return refuse(reasonOf(fetch.code), fetch.because, fetch.mayRecover ? seconds(30) : minutes(5))
    case 'ready':
      return idle(`${pinned.digest} can be booted`, { status: ready(seen, pinned) })
    default:
      return fetch satisfies never
  }
}

const refuse = (reason: string, because: string, again: number): Plan<never> => ({
  because,
  status: { state: 'Error', httpBootURI: null, conditions: [isFalse('ImageValid', reason, because)] },
  actions: [],
  events: [{ type: 'Warning', reason, message: because }],
  again,
})

const mebibytes = (bytes: number): number => Math.round(bytes / (1 << 20))
