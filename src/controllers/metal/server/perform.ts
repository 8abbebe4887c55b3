import { Fault } from '../../../core/fault.ts'
import { provisionedAnnotation } from '../../../policy/boot/provisioned.ts'
import type { Bmc } from '../../../ports/bmc.ts'
import type { Performers } from '../../../ports/index.ts'
import { operationAnnotation } from '../operation.ts'
import { configurations, type Server, servers } from '../resources.ts'
import { discOf, ticketed } from './address.ts'
import { discoveryKey } from './observe-configuration.ts'
import { parkedAnnotation } from './operations.ts'
import type { ServerPorts } from './ports.ts'
import type { Verb } from './verbs.ts'

/** Every write for a server: four that reach its hardware, the others with preconditions of their own. */
export function performers(ports: ServerPorts): Performers<Server, Verb> {
  const { kube, pool, tickets, namespace, probeImage } = ports
  const at = (server: Server, work: (bmc: Bmc) => Promise<void>, signal: AbortSignal): Promise<void> =>
    pool.use(server.spec.bmcRef?.name ?? '', work, signal)
  const change = async ({ metadata }: Server, merge: object, annotations: object | undefined, signal: AbortSignal): Promise<void> => {
    const { name, resourceVersion, uid } = metadata
    const guarded = { ...merge, metadata: { resourceVersion, uid, ...(annotations ? { annotations } : {}) } }
    await kube.patch(servers, { name }, { merge: guarded }, { signal })
  }
  return {
    arm: {
      destructive: true,
      run: ({ target, fetches, address }, { object, signal }) =>
        at(
          object,
          ({ boot }) => {
            const uri = address ?? (fetches && ticketed(tickets, object, fetches.artifact, fetches.image))
            return boot.once(target, boot.takesUri ? uri : undefined, signal)
          },
          signal,
        ),
    },
    insert: {
      destructive: true,
      run: ({ slot, image }, { object, signal }) =>
        at(object, async ({ media }) => media?.insert(slot, discOf(tickets, object, image) ?? '', signal), signal),
    },
    eject: {
      destructive: true,
      run: ({ slot }, { object, signal }) => at(object, async ({ media }) => media?.eject(slot, signal), signal),
    },
    disarm: { destructive: true, run: (_, { object, signal }) => at(object, ({ boot }) => boot.clear(signal), signal) },
    switchOn: { destructive: true, run: (_, { object, signal }) => at(object, ({ power }) => power.set('On', 'graceful', signal), signal) },
    switchOff: {
      destructive: true,
      run: ({ how }, { object, signal }) =>
        at(object, ({ power }) => power.set('Off', how, signal), signal).catch((error: unknown) => {
          // That it cannot be asked is no reason not to look again: what follows from it is decided there.
          throw how === 'graceful' && error instanceof Fault ? new Fault(error.code, error.message, 'backoff') : error
        }),
    },
    createConfiguration: {
      async run(_, { object, signal }) {
        const { apiVersion, kind, metadata } = object
        const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true }
        await kube.create(
          configurations,
          {
            apiVersion,
            kind: 'ServerBootConfiguration',
            metadata: {
              ...discoveryKey(namespace, metadata.name),
              annotations: { 'metal.ironcore.dev/type': 'Internal' },
              ownerReferences: [owner],
            },
            spec: { serverRef: { name: metadata.name }, image: probeImage, bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' } },
          },
          { signal },
        )
      },
    },
    deleteConfiguration: {
      run: ({ uid }, { object, signal }) => kube.delete(configurations, discoveryKey(namespace, object.metadata.name), { uid, signal }),
    },
    markProvisioned: {
      async run({ namespace: of, name, uid, revision }, { signal }) {
        const metadata = { uid, resourceVersion: revision, annotations: { [provisionedAnnotation]: 'true' } }
        await kube.patch(configurations, { namespace: of, name }, { merge: { metadata } }, { signal })
      },
    },
    letGo: {
      run: ({ takesOperation }, { object, signal }) =>
        change(object, { spec: { serverClaimRef: null } }, takesOperation ? { [operationAnnotation]: null } : undefined, signal),
    },
    endMaintenance: {
      run: (_, { object, signal }) =>
        change(object, { spec: { serverMaintenanceRef: null, maintenanceBootConfigurationRef: null } }, undefined, signal),
    },
    light: {
      run: ({ shows }, { object, signal }) =>
        at(object, async ({ manager }) => manager.led?.(shows === 'Lit' || shows === 'Blinking', signal), signal),
    },
    setBootOrder: {
      destructive: true,
      run: ({ order }, { object, signal }) => at(object, async ({ boot }) => boot.setOrder?.(order, signal), signal),
    },
    park: { run: (_, { object, signal }) => change(object, {}, { [parkedAnnotation]: 'true', [operationAnnotation]: null }, signal) },
    unpark: { run: (_, { object, signal }) => change(object, {}, { [parkedAnnotation]: null, [operationAnnotation]: null }, signal) },
    takeOperation: { run: (_, { object, signal }) => change(object, {}, { [operationAnnotation]: null }, signal) },
  }
}
