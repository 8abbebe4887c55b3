import type { StampedCondition } from '../../../core/condition.ts'
import { minutes } from '../../../core/duration.ts'
import { act, type Plan } from '../../../core/plan.ts'
import { infraEnvLabel } from '../../../policy/host-image/gate.ts'
import { ramdiskNeed } from '../../../policy/metal3/ramdisk-need.ts'
import type { HostOrder, Ramdisk } from '../../../ports/provisioner.ts'
import { type BareMetalHost, imageFinalizer, type PreprovisioningImage } from '../resources.ts'
import { awaits } from './awaits.ts'
import { errorTypeOf, tell } from './errors.ts'
import type { Seen, SeenImage, Verb } from './seen.ts'

/** A host that is deleted waits so long for an image to be cleaned with. */
export const imagePatience = minutes(30)

/** What is wanted of the image of a host's ramdisk, and how far it is. `network` is the Secret with its network settings, as it is now. */
export function imageSeen(
  { metadata, spec }: BareMetalHost,
  phase: string,
  order: HostOrder | undefined,
  found: PreprovisioningImage | undefined,
  network: { readonly name: string; readonly version: string | undefined } | undefined,
): Omit<SeenImage, 'missedFor'> {
  const wanted: SeenImage['spec'] = {
    architecture: order?.architecture ?? 'x86_64',
    acceptFormats: order?.address.boots === 'Pxe' ? ['initrd'] : ['iso', 'initrd'],
    ...(spec?.preprovisioningNetworkDataName === undefined ? {} : { networkDataName: spec.preprovisioningNetworkDataName }),
  }
  const need =
    order === undefined
      ? 'none'
      : ramdiskNeed({
          phase,
          inspection: order.inspection,
          cleaning: order.cleaning,
          liveIso: order.image?.format === 'live-iso',
          prepares: order.raid !== undefined,
        })
  const labels = metadata.labels ?? {}
  // An InfraEnv describes the network of its hosts itself, and what they say of it does not go into their images.
  const used = labels[infraEnvLabel] === undefined ? network : undefined
  return { need, spec: wanted, labels, object: found, ...judged(found, wanted, labels, used) }
}

function judged(
  image: PreprovisioningImage | undefined,
  wanted: SeenImage['spec'],
  labels: SeenImage['labels'],
  network: { readonly name: string; readonly version: string | undefined } | undefined,
): Pick<SeenImage, 'is' | 'because'> {
  if (!image) return { is: 'missing', because: 'the image of its ramdisk is not there' }
  const { status, spec, metadata } = image
  if (metadata.deletionTimestamp !== undefined && !metadata.finalizers?.includes(imageFinalizer))
    return { is: 'building', because: 'the image of its ramdisk, which is being deleted and made anew after that' }
  const same =
    spec?.architecture === wanted.architecture &&
    spec?.networkDataName === wanted.networkDataName &&
    spec?.acceptFormats?.join() === wanted.acceptFormats?.join() &&
    metadata.labels?.[infraEnvLabel] === labels[infraEnvLabel]
  if (!same) return { is: 'other', because: 'the image of its ramdisk is for something else' }
  const conditions = (status?.conditions ?? []) as readonly StampedCondition[]
  const error = conditions.find(({ type }) => type === 'Error')
  if (error?.status === 'True')
    return { is: 'failed', because: `the image of its ramdisk cannot be built: ${error.message || error.reason}` }
  const ready = conditions.find(({ type }) => type === 'Ready')
  const built =
    ready?.status === 'True' &&
    (ready.observedGeneration === undefined || ready.observedGeneration === specGeneration(metadata)) &&
    status?.imageUrl !== undefined &&
    status.architecture === wanted.architecture &&
    (wanted.acceptFormats ?? []).includes(status.format ?? 'iso') &&
    status.networkData?.name === network?.name &&
    (network === undefined || status.networkData?.version === network.version)
  return built
    ? { is: 'ready', because: 'the image of its ramdisk is built' }
    : { is: 'building', because: `the image of its ramdisk, which is being built${ready?.message ? `: ${ready.message}` : ''}` }
}

/** A deletion counts as a generation, too, and changes nothing of what is built. */
const specGeneration = ({ generation = 0, deletionTimestamp }: PreprovisioningImage['metadata']): number =>
  deletionTimestamp === undefined ? generation : generation - 1

/** What the engine boots, once it is built. */
export function ramdiskOf({ is, object }: Pick<SeenImage, 'is' | 'object'>): Ramdisk | undefined {
  const status = object?.status
  if (is !== 'ready' || status?.imageUrl === undefined) return undefined
  return {
    format: status.format ?? 'iso',
    url: status.imageUrl,
    ...(status.kernelUrl === undefined ? {} : { kernelUrl: status.kernelUrl }),
    ...(status.extraKernelParams === undefined ? {} : { kernelParams: status.extraKernelParams }),
  }
}

/** What is in the way of a host that boots a ramdisk; undefined where nothing is. */
export function imageInTheWay({ image, host }: Seen): Plan<Verb> | undefined {
  if (image?.need !== 'required' || image.is === 'ready') return undefined
  // Nobody builds for long what is being deleted: it is let go, and asked for again.
  if (image.object && isHeldOnly(image.object))
    return act('the image of its ramdisk is being deleted, and made anew after that', [{ do: 'dropImage', image: image.object }])
  if (image.is === 'missing' || image.is === 'other') return act(image.because, [{ do: 'makeImage', image }], { again: minutes(5) })
  if (image.is === 'failed') return tell(host, errorTypeOf('register', host), image.because, true)
  return awaits(image.because, minutes(5))
}

/** An image that has served is taken away; so is one that is not needed now and that somebody deletes. */
export const imageLeft = ({ image }: Seen): Plan<Verb> | undefined =>
  image?.object && (image.need === 'none' || (image.need === 'kept' && isHeldOnly(image.object)))
    ? act('the image of its ramdisk has served', [{ do: 'dropImage', image: image.object }])
    : undefined

const isHeldOnly = ({ metadata }: PreprovisioningImage): boolean =>
  metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(imageFinalizer) === true
