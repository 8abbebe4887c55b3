import { effectivePolicy } from '../../../policy/boot/policy.ts'
import type { BootArtifacts } from '../../../ports/boot-artifacts.ts'
import type { ImageResolver } from '../../../ports/images.ts'
import { type ControllerKube, type Reconciler, wokenBy } from '../../../ports/index.ts'
import { architectureOf, readImage } from '../read-image.ts'
import { configurations, type ServerBootConfiguration, servers } from '../resources.ts'
import { decide, type Pinned, type Seen } from './decide.ts'

export interface BootConfigurationPorts {
  readonly kube: ControllerKube
  readonly images: ImageResolver
  readonly artifacts: BootArtifacts
}

/** Makes a boot configuration Ready: its image pinned, verified and on the boot server's shelf. */
export const bootConfigurationController = ({
  kube,
  images,
  artifacts,
}: BootConfigurationPorts): Reconciler<ServerBootConfiguration, Seen, never> => ({
  name: 'boot-configuration',
  kind: configurations,
  // Read for its architecture; its changes matter only to configurations that are not settled, and those look again by themselves.
  watches: [wokenBy(servers, () => [])],
  async observe({ metadata, spec, status }, { signal }) {
    const generation = metadata.generation ?? 0
    const server = kube.cached.get(servers, { name: spec.serverRef.name })
    const architecture = architectureOf(server)
    const pinned: Pinned | undefined = status?.image?.generation === generation ? status.image : undefined
    const wanted = spec.image !== undefined && metadata.deletionTimestamp === undefined
    const reference = spec.image ?? ''
    const found = wanted && !pinned ? await readImage(images, reference, architecture, signal) : undefined
    const known = pinned?.artifacts ?? (found?.is === 'read' ? found.facts.artifacts : [])
    return {
      generation,
      deleting: metadata.deletionTimestamp !== undefined,
      image: spec.image,
      architecture,
      policy: effectivePolicy(spec.bootPolicy),
      pinned,
      found,
      shelved: known.filter(artifact => !pinned && artifacts.has([artifact])).map(({ digest }) => digest),
      fetch: wanted && pinned ? artifacts.ensure({ reference }, pinned.artifacts) : undefined,
      addresses: Object.fromEntries(known.map(artifact => [artifact.role, artifacts.address(artifact, reference)])),
    }
  },
  decide,
  perform: {},
})
