import { Fault } from '../../core/fault.ts'
import type { ImageFacts, ImageResolver } from '../../ports/images.ts'
import type { SeenImage } from './image-problem.ts'
import type { Server } from './resources.ts'

/** An image as controllers look at it: read, or not readable and why. */
export type ReadImage =
  | { readonly is: 'read'; readonly facts: ImageFacts }
  | { readonly is: 'unreadable'; readonly code: string; readonly because: string; readonly mayRecover: boolean }

/** What the registry says is data for a decision; only what nobody foresaw is thrown. */
export async function readImage(images: ImageResolver, reference: string, architecture: string, signal: AbortSignal): Promise<ReadImage> {
  try {
    return { is: 'read', facts: await images.inspect(reference, architecture, signal) }
  } catch (error) {
    if (!(error instanceof Fault) || !error.code.startsWith('image/')) throw error
    const because = error.hint === undefined ? error.message : `${error.message} (${error.hint})`
    return { is: 'unreadable', code: error.code, because, mayRecover: error.retry === 'backoff' }
  }
}

/** The same without what only the boot server needs. */
export async function imageSeen(images: ImageResolver, reference: string, architecture: string, signal: AbortSignal): Promise<SeenImage> {
  const image = await readImage(images, reference, architecture, signal)
  if (image.is === 'unreadable') return image
  const { facts } = image
  return { is: 'read', architecture: facts.architecture, architectures: facts.architectures, roles: facts.artifacts.map(a => a.role) }
}

/** Servers that nobody has looked into yet are taken for what nearly all of them are. */
export const architectureOf = (server: Server | undefined): string =>
  server?.status?.processors?.find(p => p.architecture !== undefined)?.architecture ?? 'x86_64'

/** `image/no-architecture` → `ImageNoArchitecture`. */
export const reasonOf = (code: string): string =>
  code
    .split(/[/-]/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
