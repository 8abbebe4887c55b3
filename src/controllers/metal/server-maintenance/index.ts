import { Fault } from '../../../core/fault.ts'
import type { KubeObject } from '../../../core/object.ts'
import { type Reconciler, wokenBy } from '../../../ports/index.ts'
import { saidAnew } from '../boot-said.ts'
import { claims, configurations, maintenances, type ServerMaintenance, servers } from '../resources.ts'
import { templateOf } from './boot.ts'
import { decide, type Verb } from './decide.ts'
import { approvedLabel, neededLabel } from './labels.ts'
import { byServer, type MaintenancePorts, observe } from './observe.ts'
import type { Seen } from './seen.ts'

export type { MaintenancePorts } from './observe.ts'

/** Lets one maintenance at a time have a server, when its owner agrees, and says what the server boots meanwhile. */
export const serverMaintenanceController = (ports: MaintenancePorts): Reconciler<ServerMaintenance, Seen, Verb> => {
  const { kube } = ports
  const wanting = (server: string) => kube.cached.by(maintenances, byServer, server).map(keyOf)
  return {
    name: 'server-maintenance',
    kind: maintenances,
    finalizer: 'metal.ironcore.dev/servermaintenance',
    watches: [
      wokenBy(configurations, 'owner'),
      wokenBy(servers, server => wanting(server.metadata.name)),
      wokenBy(maintenances, other => wanting(other.spec.serverRef.name)),
      wokenBy(claims, claim => (claim.spec.serverRef ? wanting(claim.spec.serverRef.name) : [])),
    ],
    observe: (object, look) => observe(ports, object, look),
    decide,
    perform: {
      askOwner: { run: ({ namespace, claim }, { signal }) => label(namespace, claim, { [neededLabel]: 'true' }, signal) },
      thankOwner: {
        run: ({ namespace, claim }, { signal }) => label(namespace, claim, { [neededLabel]: null, [approvedLabel]: null }, signal),
      },
      take: {
        async run({ server }, { object, signal }) {
          const found = await kube.fresh(servers, { name: server }, signal)
          if (!found || found.spec.serverMaintenanceRef)
            throw new Fault('maintenance/server-held', `Cannot take server ${server}: another maintenance was quicker`)
          const { updateRef } = found.spec
          if (updateRef) throw new Fault('maintenance/server-updated', `Cannot take server ${server}: job ${updateRef.job} updates it`)
          const state = found.status?.state
          if (state === 'Parked' || state === 'Released')
            throw new Fault('maintenance/server-aside', `Cannot take server ${server}: it is ${state} by now`)
          const { name, namespace } = object.metadata
          const { resourceVersion } = found.metadata
          const spec = { serverMaintenanceRef: { name, namespace } }
          await kube.patch(servers, { name: server }, { merge: { metadata: { resourceVersion }, spec } }, { signal })
        },
      },
      createConfiguration: {
        async run({ name }, { object, signal }) {
          const { apiVersion, kind, metadata } = object
          const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true }
          await kube.create(
            configurations,
            {
              apiVersion,
              kind: 'ServerBootConfiguration',
              metadata: { name, namespace: metadata.namespace ?? '', ownerReferences: [owner] },
              spec: templateOf(object),
            },
            { signal },
          )
        },
      },
      updateConfiguration: {
        async run({ name }, { object, signal }) {
          const { namespace = '' } = object.metadata
          await kube.patch(configurations, { name, namespace }, { merge: { spec: saidAnew(templateOf(object)) } }, { signal })
        },
      },
      nameConfiguration: {
        async run({ server, name }, { object, signal }) {
          const found = await kube.fresh(servers, { name: server }, signal)
          const { namespace } = object.metadata
          const ref = found?.spec.serverMaintenanceRef
          if (!found || ref?.name !== object.metadata.name || ref.namespace !== namespace)
            throw new Fault(
              'maintenance/server-lost',
              `Cannot tell server ${server} what to boot: it is not held by this maintenance any more`,
            )
          const { resourceVersion } = found.metadata
          const spec = { maintenanceBootConfigurationRef: { name, namespace } }
          await kube.patch(servers, { name: server }, { merge: { metadata: { resourceVersion }, spec } }, { signal })
        },
      },
    },
  }

  async function label(
    namespace: string,
    name: string,
    labels: Readonly<Record<string, string | null>>,
    signal: AbortSignal,
  ): Promise<void> {
    const found = await kube.fresh(claims, { name, namespace }, signal)
    if (found) await kube.patch(claims, { name, namespace }, { merge: { metadata: { labels } } }, { signal })
  }
}

const keyOf = ({ metadata }: KubeObject) => ({
  name: metadata.name,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
})
