import { provisionedAnnotation } from '../../../policy/boot/provisioned.ts'
import { type Entitlement, type Reconciler, wokenBy } from '../../../ports/index.ts'
import { bmcs, claims, configurations, maintenances, type Server, serverFinalizer, servers } from '../resources.ts'
import { decide } from './decide.ts'
import { observe } from './observe.ts'
import { performers } from './perform.ts'
import type { ServerPorts } from './ports.ts'
import type { Seen } from './seen.ts'
import type { Verb } from './verbs.ts'

export { lifecycle } from './lifecycle.ts'
export type { ServerPorts } from './ports.ts'

/** Discovers a server, boots it for whoever claims it, and gives it back. */
export const serverController = (ports: ServerPorts): Reconciler<Server, Seen, Verb> => ({
  name: 'server',
  kind: servers,
  finalizer: serverFinalizer,
  watches: [
    wokenBy(claims, ({ spec, status }) => named(spec.serverRef?.name ?? status?.binding?.server)),
    wokenBy(configurations, ({ spec }) => named(spec.serverRef.name)),
    wokenBy(maintenances, ({ spec }) => named(spec.serverRef.name)),
    wokenBy(bmcs, ({ metadata }) => named(serverOf(metadata.name))),
  ],
  observe: (server, look) => observe(ports, server, look),
  decide,
  entitledBy,
  perform: performers(ports),
})

const named = (name: string | undefined) => (name === undefined ? [] : [{ name }])

/** The Server that is made for a BMC; one that was made by hand under another name looks for itself now and then. */
const serverOf = (bmc: string): string => `${bmc}-system-0`

/** Power and boots are the claim's, and the configuration's that says what is booted: what their owners want, not what is reported there. */
function entitledBy({ claim, maintenance, configuration, server }: Seen): readonly Entitlement[] {
  const boots = ['Reserved', 'Discovery', 'Maintenance'].includes(server.standing.phase ?? '')
  return [
    ...(maintenance
      ? [
          {
            of: maintenances,
            key: { namespace: maintenance.namespace, name: maintenance.name },
            ...(maintenance.uid === undefined
              ? {}
              : { wish: { uid: maintenance.uid, generation: maintenance.generation, deleting: maintenance.is === 'going' } }),
          },
        ]
      : []),
    ...(claim
      ? [
          {
            of: claims,
            key: { namespace: claim.namespace, name: claim.name },
            ...(claim.uid === undefined ? {} : { wish: { uid: claim.uid, generation: claim.generation, deleting: claim.is === 'going' } }),
          },
        ]
      : []),
    ...(configuration && boots
      ? [
          {
            of: configurations,
            key: { namespace: configuration.namespace, name: configuration.name },
            wish: {
              uid: configuration.uid,
              generation: configuration.generation,
              deleting: configuration.deleting,
              annotations: { [provisionedAnnotation]: configuration.provisionedRaw },
            },
          },
        ]
      : []),
  ]
}
