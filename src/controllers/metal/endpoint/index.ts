import { entryFor, type PrefixEntry } from '../../../policy/mac-prefix.ts'
import { type ControllerKube, type Grant, granting, keepingStatus, type Reconciler, watching, wokenBy } from '../../../ports/index.ts'
import { type BMC, bmcs, type Endpoint, endpoints } from '../resources.ts'
import { decide, type Seen, type Verb } from './decide.ts'

export interface EndpointPorts {
  readonly kube: ControllerKube
  /** What controllers are, by their hardware addresses. */
  readonly prefixes: readonly PrefixEntry[]
}

export const endpointGrants: readonly Grant[] = [
  watching(endpoints),
  watching(bmcs),
  keepingStatus(endpoints),
  granting(bmcs, ['create'], 'makes a BMC where a controller was seen'),
]

/** Management controllers that DHCP saw become BMCs. */
export const endpointController = ({ kube, prefixes }: EndpointPorts): Reconciler<Endpoint, Seen, Verb> => ({
  name: 'endpoint',
  kind: endpoints,
  watches: [
    wokenBy(bmcs, ({ spec }) => (spec.endpointRef ? [{ name: spec.endpointRef.name }] : [])),
    wokenBy(endpoints, other => twinsOf(kube, other).map(({ metadata }) => ({ name: metadata.name }))),
  ],
  async observe(endpoint) {
    const { metadata, spec } = endpoint
    const bmc = kube.cached.get(bmcs, { name: metadata.name })
    const twin = twinsOf(kube, endpoint).find(other => isOlder(other, endpoint))
    return {
      name: metadata.name,
      deleting: metadata.deletionTimestamp !== undefined,
      macAddress: spec.macAddress,
      entry: entryFor(spec.macAddress, prefixes),
      twin: twin?.metadata.name,
      bmc: !bmc ? 'none' : bmc.spec.endpointRef?.name === metadata.name ? 'ours' : 'other',
    }
  },
  decide,
  perform: {
    createBmc: {
      async run({ entry }, { object, signal }) {
        const { name } = object.metadata
        const spec = { endpointRef: { name }, bmcSecretRef: entry.credentials, protocol: entry.protocol }
        await kube.create(bmcs, { apiVersion: object.apiVersion, kind: 'BMC', metadata: { name }, spec } as unknown as BMC, { signal })
      },
    },
  },
})

const twinsOf = (kube: ControllerKube, { metadata, spec }: Endpoint): readonly Endpoint[] =>
  kube.cached
    .list(endpoints)
    .filter(other => other.metadata.name !== metadata.name && other.spec.macAddress.toLowerCase() === spec.macAddress.toLowerCase())

const isOlder = ({ metadata: a }: Endpoint, { metadata: b }: Endpoint): boolean =>
  a.creationTimestamp === b.creationTimestamp ? (a.uid ?? '') < (b.uid ?? '') : (a.creationTimestamp ?? '') < (b.creationTimestamp ?? '')
