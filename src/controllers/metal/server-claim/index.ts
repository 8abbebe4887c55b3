import { Fault } from '../../../core/fault.ts'
import type { KubeObject } from '../../../core/object.ts'
import { readProvisioned } from '../../../policy/boot/provisioned.ts'
import { concerns } from '../../../policy/claim/match.ts'
import { type Reconciler, wokenBy } from '../../../ports/index.ts'
import { saidAnew } from '../boot-said.ts'
import { claims, configurations, readinessRules, type ServerClaim, servers } from '../resources.ts'
import { decide, type Verb } from './decide.ts'
import { openEyed } from './eyed.ts'
import { type ClaimPorts, observe, wishOf } from './observe.ts'
import type { Seen } from './seen.ts'

export type { ClaimPorts } from './observe.ts'

/** Gives a claim its server, and says what that server boots. */
export const serverClaimController = (ports: ClaimPorts): Reconciler<ServerClaim, Seen, Verb> => {
  const { kube } = ports
  const eyed = openEyed()
  const keyOf = ({ metadata }: KubeObject) => ({
    name: metadata.name,
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  })
  return {
    name: 'server-claim',
    kind: claims,
    finalizer: 'metal.ironcore.dev/serverclaim',
    watches: [
      wokenBy(configurations, 'owner'),
      wokenBy(readinessRules, (_, all) => (all() as readonly ServerClaim[]).filter(({ status }) => status?.phase !== 'Bound').map(keyOf)),
      wokenBy(servers, (server, all) => {
        const ref = server.spec.serverClaimRef
        if (ref) return [ref]
        if (server.status?.state !== 'Available') return []
        const { name, labels = {} } = server.metadata
        return (all() as readonly ServerClaim[])
          .filter(claim => claim.status?.phase !== 'Bound' && concerns(wishOf(claim), { name, labels }))
          .map(keyOf)
      }),
    ],
    observe: (claim, look) => observe(ports, eyed, claim, look),
    decide,
    perform: {
      take: {
        async run({ server, serverUID }, { object, signal }) {
          const { name, namespace = '', uid = '' } = object.metadata
          const found = await kube.fresh(servers, { name: server }, signal)
          if (!found || found.metadata.uid !== serverUID || found.spec.serverClaimRef) {
            throw new Fault('claim/server-taken', `Cannot take server ${server}: somebody else was quicker`, 'backoff')
          }
          const { updateRef } = found.spec
          if (updateRef) throw new Fault('claim/server-updated', `Cannot take server ${server}: job ${updateRef.job} updates it`, 'backoff')
          const { resourceVersion } = found.metadata
          await kube.patch(
            servers,
            { name: server },
            { merge: { metadata: { resourceVersion }, spec: { serverClaimRef: { name, namespace, uid } } } },
            { signal },
          )
        },
      },
      nameServer: {
        async run({ server }, { object, signal }) {
          const { resourceVersion } = object.metadata
          await kube.patch(
            claims,
            keyOf(object),
            { merge: { metadata: { resourceVersion }, spec: { serverRef: { name: server } } } },
            { signal },
          )
        },
      },
      createConfiguration: {
        async run({ server }, { object, signal }) {
          const { name, namespace = '', uid = '' } = object.metadata
          await kube.create(
            configurations,
            {
              apiVersion: object.apiVersion,
              kind: 'ServerBootConfiguration',
              metadata: {
                name,
                namespace,
                ownerReferences: [
                  { apiVersion: object.apiVersion, kind: object.kind, name, uid, controller: true, blockOwnerDeletion: true },
                ],
              },
              spec: { serverRef: { name: server }, ...bootOf(object) },
            },
            { signal },
          )
        },
      },
      updateConfiguration: {
        async run(_, { object, signal }) {
          const key = keyOf(object)
          const found = await kube.fresh(configurations, key, signal)
          // What was installed a moment ago must not be said to be something else.
          if (!found || readProvisioned(found.metadata.annotations) !== 'no')
            throw new Fault(
              'claim/installed-meanwhile',
              `Cannot say anew what claim ${key.name} boots: it was installed meanwhile`,
              'backoff',
            )
          const { resourceVersion } = found.metadata
          await kube.patch(configurations, key, { merge: { metadata: { resourceVersion }, spec: saidAnew(object.spec) } }, { signal })
        },
      },
    },
  }
}

/** What the claim says about booting, as its configuration repeats it. */
function bootOf({ spec }: ServerClaim) {
  const { image, ignitionSecretRef, bootPolicy } = spec
  return { image, ...(ignitionSecretRef ? { ignitionSecretRef } : {}), ...(bootPolicy ? { bootPolicy } : {}) }
}
