import { isSkip, type Known, type MachineSpec, type Platform } from './platforms/platform.ts'
import type { Images } from './stream.ts'

export type Verdict =
  | { readonly is: 'current'; readonly image: string; readonly release: string }
  | { readonly is: 'outdated'; readonly image: string; readonly target: string; readonly release: string; readonly spec: MachineSpec }
  /** Not for us: said, and counted for nothing. */
  | { readonly is: 'skipped'; readonly reason: string; readonly because: string; readonly image?: string }

/** Whether a spec boots what the stream offers; if not, how it would. Where an image came from is known before it is replaced, or it stays. */
export function judge(platform: Platform, spec: MachineSpec, images: Images, known: Known): Verdict {
  const image = platform.read(spec, known)
  if (typeof image !== 'string') return { is: 'skipped', reason: image.skip, because: image.because }
  const target = platform.target(spec, images, known)
  if (!isSkip(target) && target.image === image) return { is: 'current', image, release: target.release }
  const provenance = platform.classify(image, spec, known)
  if (provenance !== 'stream') return { is: 'skipped', reason: provenance.skip, because: provenance.because, image }
  if (isSkip(target)) return { is: 'skipped', reason: target.skip, because: target.because, image }
  return { is: 'outdated', image, target: target.image, release: target.release, spec: platform.write(spec, target, known) }
}
