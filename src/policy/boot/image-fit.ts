import type { ArtifactRole, BootMethod } from './method.ts'

/** What an image was found to hold for one architecture. */
export interface ImageContent {
  readonly reference: string
  readonly architecture: string
  readonly roles: readonly ArtifactRole[]
  /** Every architecture that the image has, where it has several. */
  readonly architectures: readonly string[]
}

export type ImageFit =
  | { readonly fits: true; readonly uses: readonly ArtifactRole[] }
  | { readonly fits: false; readonly reason: 'WrongArchitecture' | 'MissingArtifact'; readonly because: string }

/** Whether a machine can boot an image this way; if not, what was found and what was needed. */
export function imageFit(method: BootMethod, image: ImageContent, architecture: string): ImageFit {
  if (image.architecture !== architecture) {
    return {
      fits: false,
      reason: 'WrongArchitecture',
      because: `Cannot boot "${image.reference}" on ${architecture}: it is made for ${listed(image.architectures)}`,
    }
  }
  if (method.needs.length === 0) return { fits: true, uses: [] }
  const uses = method.needs.find(alternative => alternative.every(role => image.roles.includes(role)))
  if (uses) return { fits: true, uses }
  const needed = method.needs.map(alternative => alternative.join(' and ')).join(', or ')
  return {
    fits: false,
    reason: 'MissingArtifact',
    because: `Cannot boot "${image.reference}" by ${method.name}: it needs ${needed}; found ${listed(image.roles)}`,
  }
}

const listed = (words: readonly string[]): string => (words.length === 0 ? 'nothing to boot' : words.join(', '))
