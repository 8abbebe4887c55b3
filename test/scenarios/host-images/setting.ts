import { crdOf } from '../../../src/api/crd.ts'
import { metal3Kinds } from '../../../src/api/kinds.ts'
import { hostImageHandler } from '../../../src/boot/host-images/handler.ts'
import { ignitionConfigs } from '../../../src/boot/host-images/ignition-configs.ts'
import { openShelf, type Shelf } from '../../../src/boot/host-images/shelf.ts'
import { preprovisioningImageController } from '../../../src/controllers/metal3/preprovisioning-image/index.ts'
import { images, type PreprovisioningImage } from '../../../src/controllers/metal3/resources.ts'
import { conditionOf } from '../../../src/core/condition.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import type { Clock, HttpRequest, HttpResponse, Kube } from '../../../src/ports/index.ts'
import { openControllers } from '../../../src/runtime/index.ts'
import { imageRecords } from '../../../src/sim/images/image-records.ts'
import { readNewc } from '../../../src/sim/images/read-newc.ts'
import type { Invariant } from '../../../src/sim/invariant.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { followed } from '../followed.ts'
import { insist } from '../insist.ts'
import { base, baseUrl, liveIso } from './base.ts'
import { openWeb, type Web } from './web.ts'

/** What is there besides the API: whoever has the Ignition of others, and what our last process serves. */
export interface Studio {
  readonly web: Web
  /** The disk of our processes. */
  readonly records: ReturnType<typeof imageRecords>
  handler: (request: HttpRequest) => HttpResponse | undefined
  shelf: Shelf | undefined
}

const key = Buffer.alloc(32, 'k')
export const agent = { apiUrl: `${baseUrl}/agent`, callbackUrl: `${baseUrl}/agent/v1/continue`, image: 'quay.example/ironic-agent:1' }

function program({ kube, clock, ids, log, identity }: ProcessPorts, studio: Studio): Running {
  // Kernels read it unpacked, too; packing would leave virtual time.
  const shelf = openShelf({ baseUrl, key, pack: bytes => bytes })
  shelf.add('x86_64', base)
  studio.handler = hostImageHandler(shelf)
  studio.shelf = shelf
  const controllers = openControllers({ kube, clock, ids, log, identity })
  controllers.add(own =>
    preprovisioningImageController({
      kube: own,
      images: shelf,
      records: studio.records,
      configs: ignitionConfigs({ clock, to: studio.web.to }),
      networks: {
        keyfiles: async text =>
          text.includes('bad')
            ? { wrong: 'nmstatectl does not take the network data: bad' }
            : { files: [{ name: 'eth0.nmconnection', content: '[connection]' }] },
      },
      agent,
      log,
      settling: 0,
      minimal: false,
      now: () => clock.now(),
    }),
  )
  controllers.start()
  return followed(controllers)
}

/** The Ignition that a machine finds which boots from an image; undefined where nothing is served there. */
export function ignitionOn(studio: Studio, url: string): Promise<Record<string, unknown> | undefined> {
  const found = studio.handler({ method: 'GET', url: url.slice(baseUrl.length), headers: {} })
  return found?.status === 200 ? read(found) : Promise.resolve(undefined)
}

async function read({ body }: HttpResponse): Promise<Record<string, unknown>> {
  const parts: Uint8Array[] = []
  for await (const part of body instanceof Uint8Array ? [body] : body) parts.push(part)
  const bytes = Buffer.concat(parts)
  const at =
    bytes.length === liveIso.bytes.length ? liveIso.places.get('images/ignition.img')! * 2_048 : Math.ceil(liveIso.initrd.length / 4) * 4
  const [file] = readNewc(bytes.subarray(at)).values()
  return JSON.parse(file!.bytes.toString()) as Record<string, unknown>
}

/** An address that was given away stays: machines read their root file system from it for days. */
const staysReadable: Invariant<Studio> = {
  name: 'X-030 the same content has the same address',
  begin(sight) {
    const known = new Map<string, string>()
    return () => {
      for (const { metadata, spec, status } of sight.objects(images)) {
        const { imageUrl } = status ?? {}
        // What stands there may be of what was wanted before.
        if (imageUrl === undefined || conditionOf(status, 'Ready')?.observedGeneration !== metadata.generation) continue
        const inputs = `${metadata.uid} ${JSON.stringify(spec)} ${metadata.annotations?.['baremetal.openshift.io/ignition-override-uri']}`
        if ((known.get(inputs) ?? imageUrl) !== imageUrl) return `${metadata.name} was at ${known.get(inputs)}, and is at ${imageUrl}`
        known.set(inputs, imageUrl)
      }
      return undefined
    }
  },
}

const notTooEarly: Invariant<Studio> = {
  name: 'ZT-014 ZT-016 no image of an InfraEnv is built without its Ignition, nor before it is a minute old',
  begin: sight => () => {
    const early = sight
      .objects(images)
      .find(
        image =>
          isReady(image) &&
          image.metadata.labels?.['infraenvs.agent-install.openshift.io'] !== undefined &&
          (image.metadata.annotations?.['baremetal.openshift.io/ignition-override-uri'] === undefined || sight.elapsed < minutes(1)),
      )
    return early && `${early.metadata.name} is Ready`
  },
}

export const isReady = (image: PreprovisioningImage): boolean => conditionOf(image.status, 'Ready')?.status === 'True'

/** For twenty seconds somebody wants it otherwise. */
async function changesFormat(user: Kube, clock: Clock): Promise<void> {
  const key = { namespace: 'default', name: 'worker-0' }
  const accept = async (acceptFormats: readonly string[]): Promise<void> => {
    if (await user.find(images, key)) await user.patch(images, key, { merge: { spec: { acceptFormats } } })
  }
  const before = await user.find(images, key).catch(() => undefined)
  if (!before || before.spec?.acceptFormats?.length === 1) return
  clock.after(seconds(20), () => void insist(clock, () => accept(['iso', 'initrd'])))
  await accept(['initrd']).catch(() => {})
}

export const imageSetting: Setting<Studio, object> = {
  crds: metal3Kinds.map(crdOf),
  devices: () => ({ web: openWeb(), records: imageRecords(), handler: () => undefined, shelf: undefined }),
  program,
  invariants: [staysReadable, notTooEarly],
  end: sight =>
    sight.objects(images).map(({ metadata, status }) => ({
      name: metadata.name,
      served: status?.imageUrl !== undefined,
      format: status?.format,
      // That a trouble is over is the same as that there was none.
      conditions: status?.conditions
        ?.filter(({ type, status: is }) => type !== 'Reconciled' || is !== 'True')
        .map(({ type, status: is, reason }) => ({ type, is, reason })),
    })),
  meddle: changesFormat,
  // Made anew it has no annotation any more, and is another image.
  without: ['recreated'],
  together: true,
}
