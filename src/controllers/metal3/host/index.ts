import type { KubeObject } from '../../../core/object.ts'
import { type Reconciler, wokenBy } from '../../../ports/index.ts'
import {
  type BareMetalHost,
  dataImages,
  firmwareComponents,
  firmwareSettings,
  hardwareData,
  hostFinalizer,
  hosts,
  images,
  servers,
  updatePolicies,
} from '../resources.ts'
import { decide } from './decide.ts'
import { type HostPorts, observe } from './observe.ts'
import { performers } from './perform.ts'
import type { Seen, Verb } from './seen.ts'

export { lifecycle } from './lifecycle.ts'

const sameName = ({ metadata }: KubeObject) => [{ name: metadata.name, namespace: metadata.namespace ?? '' }]

/** Brings a BareMetalHost to what its spec says, by the engine that it is given. */
export const hostController = (ports: HostPorts): Reconciler<BareMetalHost, Seen, Verb> => ({
  name: 'baremetalhost',
  kind: hosts,
  finalizer: hostFinalizer,
  watches: [
    wokenBy(hardwareData, sameName),
    wokenBy(images, sameName),
    wokenBy(dataImages, sameName),
    wokenBy(firmwareSettings, sameName),
    wokenBy(firmwareComponents, sameName),
    wokenBy(updatePolicies, sameName),
    // Only looked up: a machine has one owner, and whoever waits for it looks again by itself.
    wokenBy(servers, () => []),
    wokenBy(hosts, () => []),
  ],
  observe: (host, look) => observe(ports, host, look),
  decide,
  // Whoever puts a disc into its drive notes that first: nothing is switched on a machine on which somebody works.
  entitledBy: ({ media, order, work, firmware }) => [
    ...(media === undefined || order === undefined
      ? []
      : [{ of: dataImages, key: { name: order.name, namespace: order.namespace }, revision: media.revision }]),
    ...(work === 'prepare' || work === 'service' ? firmware.entitles : []),
  ],
  perform: performers(ports),
})
