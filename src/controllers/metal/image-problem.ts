import { type Condition, isFalse, isTrue } from '../../core/condition.ts'
import { minutes } from '../../core/duration.ts'
import type { Plan } from '../../core/plan.ts'
import { imageFit } from '../../policy/boot/image-fit.ts'
import type { ArtifactRole } from '../../policy/boot/method.ts'
import { firstBootMethod } from '../../policy/boot/next-boot.ts'
import type { BootPolicy } from '../../policy/boot/policy.ts'
import { reasonOf } from './read-image.ts'

/** An image as whoever wants it booted sees it. */
export type SeenImage =
  | {
      readonly is: 'read'
      readonly architecture: string
      readonly architectures: readonly string[]
      readonly roles: readonly ArtifactRole[]
    }
  | { readonly is: 'unreadable'; readonly code: string; readonly because: string; readonly mayRecover: boolean }

/** Why an image cannot be booted as asked: told on whoever asked, as a condition and as an event, and then nothing else happens. */
export function imageProblem(reference: string, policy: BootPolicy, image: SeenImage): Plan<never> | undefined {
  const problem =
    image.is === 'unreadable'
      ? { reason: reasonOf(image.code), because: image.because, again: image.mayRecover }
      : misfit(reference, policy, image)
  if (!problem) return undefined
  return {
    because: problem.because,
    status: { conditions: [isFalse('ImageValid', problem.reason, problem.because)] },
    actions: [],
    events: [{ type: 'Warning', reason: problem.reason, message: problem.because }],
    // A tag may be pushed again without anything changing here.
    again: minutes(problem.again ? 1 : 5),
  }
}

function misfit(reference: string, policy: BootPolicy, image: SeenImage & { readonly is: 'read' }) {
  const { architecture, architectures, roles } = image
  const fit = imageFit(firstBootMethod(policy), { reference, architecture, architectures, roles }, architecture)
  return fit.fits ? undefined : { reason: fit.reason, because: fit.because, again: false }
}

export const imageValid = (reference: string, policy: BootPolicy): Condition =>
  isTrue('ImageValid', 'Fits', `${reference} can be booted by ${policy.firstBoot}`)
