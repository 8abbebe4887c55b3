import { type Reconciler, wokenBy } from '../../../ports/index.ts'
import { type BareMetalHost, hardwareData, hostFinalizer, hosts, servers } from '../resources.ts'
import { decide } from './decide.ts'
import { type HostPorts, observe } from './observe.ts'
import { performers } from './perform.ts'
import type { Seen, Verb } from './seen.ts'

export { lifecycle } from './lifecycle.ts'

/** Brings a BareMetalHost to what its spec says, by the engine that it is given. */
export const hostController = (ports: HostPorts): Reconciler<BareMetalHost, Seen, Verb> => ({
  name: 'baremetalhost',
  kind: hosts,
  finalizer: hostFinalizer,
  watches: [
    wokenBy(hardwareData, ({ metadata }) => [{ name: metadata.name, namespace: metadata.namespace ?? '' }]),
    // Only looked up: a machine has one owner, and whoever waits for it looks again by itself.
    wokenBy(servers, () => []),
    wokenBy(hosts, () => []),
  ],
  observe: (host, look) => observe(ports, host, look),
  decide,
  perform: performers(ports),
})
