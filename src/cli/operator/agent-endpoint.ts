import { seconds } from '../../core/duration.ts'
import { sameJson } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Clock, Kube, Log, ResourceRef } from '../../ports/index.ts'

export interface EndpointSlice extends KubeObject {
  readonly addressType: 'IPv4' | 'IPv6'
  readonly endpoints: readonly object[]
  readonly ports: readonly object[]
}

export const endpointSlices: ResourceRef<EndpointSlice> = {
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  namespaced: true,
}

/** Where this process is, for a Service that leads to whoever acts. */
export interface OwnEndpoint {
  readonly service: string
  readonly address: string
  /** So that a Service that keeps source addresses finds it. */
  readonly node: string | undefined
  readonly port: number
}

export interface EndpointPorts {
  readonly kube: Kube
  readonly clock: Clock
  readonly log: Log
  readonly namespace: string
  /** Whether this process acts, asked over and over. */
  leads(): boolean
}

const often = seconds(5)

/**
 * Lets a Service without a selector lead to the process that acts: agents have to reach that one. Written when this process begins to act,
 * and never again while nothing is changed; who begins next writes over it.
 */
export function keepEndpoint({ kube, clock, log, namespace, leads }: EndpointPorts, own: OwnEndpoint): { close(): void } {
  const stop = new AbortController()
  let led = false
  const look = async (): Promise<void> => {
    const now = leads()
    if (now && !led) await write(kube, namespace, own, stop.signal)
    if (now && !led) log.info('Agents of hosts are led here', { service: own.service, address: own.address })
    led = now
  }
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await look().catch((error: unknown) => log.warn('Agents of hosts could not be led here; tried again', { error: String(error) }))
      await clock.sleep(often, stop.signal).catch(() => {})
    }
  }
  void run()
  return { close: () => stop.abort() }
}

async function write(kube: Kube, namespace: string, own: OwnEndpoint, signal: AbortSignal): Promise<void> {
  const wanted = sliceOf(namespace, own)
  const key = { name: own.service, namespace }
  const found = await kube.find(endpointSlices, key, { signal })
  if (!found) {
    await kube.create(endpointSlices, wanted, { signal })
    return
  }
  const { endpoints, ports } = wanted
  if (sameJson(found.endpoints, endpoints) && sameJson(found.ports, ports)) return
  if (found.addressType !== wanted.addressType) {
    await kube.delete(endpointSlices, key, { signal })
    await kube.create(endpointSlices, wanted, { signal })
    return
  }
  const { resourceVersion } = found.metadata
  await kube.patch(endpointSlices, key, { merge: { metadata: { resourceVersion }, endpoints, ports } }, { signal })
}

const sliceOf = (namespace: string, { service, address, node, port }: OwnEndpoint): EndpointSlice => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: {
    name: service,
    namespace,
    labels: { 'kubernetes.io/service-name': service, 'endpointslice.kubernetes.io/managed-by': 'rackwright' },
  },
  addressType: address.includes(':') ? 'IPv6' : 'IPv4',
  endpoints: [{ addresses: [address], conditions: { ready: true }, ...(node === undefined ? {} : { nodeName: node }) }],
  ports: [{ name: 'agents', port, protocol: 'TCP' }],
})
