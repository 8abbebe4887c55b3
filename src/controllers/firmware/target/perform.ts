import { ApiError } from '../../../api/status.ts'
import { Fault } from '../../../core/fault.ts'
import type { KubeObject } from '../../../core/object.ts'
import type { Performers } from '../../../ports/index.ts'
import { operationAnnotation } from '../../metal/operation.ts'
import { type Server, servers } from '../../metal/resources.ts'
import { jobOf } from '../job.ts'
import { jobs } from '../resources.ts'
import { runnerFor } from '../runner.ts'
import type { FirmwarePorts } from '../settings.ts'
import { itsServer } from './its-server.ts'
import type { Subject, Target } from './subject.ts'
import type { Verb } from './verbs.ts'

/** Every write for an object: each with a fresh read or a precondition of its own. */
export function performers<T extends Target & KubeObject>(ports: FirmwarePorts, subject: Subject<T>): Performers<T, Verb> {
  const { kube } = ports
  const change = async (object: T, change: (server: Server) => object | undefined, signal: AbortSignal): Promise<void> => {
    const name = itsServer(kube, subject, object)
    const found = await kube.fresh(servers, { name }, signal)
    const spec = found && change(found)
    if (!spec) return
    const { resourceVersion } = found.metadata
    await kube.patch(servers, { name }, { merge: { metadata: { resourceVersion }, spec } }, { signal })
  }
  const isOurs = (object: T, { spec }: Server): boolean =>
    spec.updateRef?.kind === subject.kind && spec.updateRef.uid === object.metadata.uid
  return {
    refer: { run: (_, { object, signal }) => change(object, () => ({ [subject.backRef]: { name: object.metadata.name } }), signal) },
    unrefer: {
      run: (_, { object, signal }) =>
        change(
          object,
          ({ spec }) => (spec[subject.backRef]?.name === object.metadata.name ? { [subject.backRef]: null } : undefined),
          signal,
        ),
    },
    hold: {
      run: ({ job, maintenance }, { object, signal }) =>
        change(
          object,
          server => {
            const why = whyNotHold(server, isOurs(object, server), maintenance)
            if (why !== undefined) throw new Fault('firmware/server-not-free', `Cannot update server ${server.metadata.name}: ${why}`)
            const { name, uid = '' } = object.metadata
            return { updateRef: { kind: subject.kind, name, uid, job, maintenance: maintenance ?? null } }
          },
          signal,
        ),
    },
    letGo: { run: (_, { object, signal }) => change(object, server => (isOurs(object, server) ? { updateRef: null } : undefined), signal) },
    createJob: {
      async run({ program, job }, { object, signal }) {
        const server = kube.cached.get(servers, { name: object.spec.serverRef.name })
        const runner = runnerFor(ports, object.metadata.labels, server?.status?.manufacturer)
        if (!runner) throw new Fault('firmware/no-runner', `Cannot start job ${job}: its JobRunner is gone`)
        try {
          await kube.create(jobs, jobOf(object, job, program, runner, ports.namespace), { signal })
        } catch (error) {
          if (!ApiError.is(error, 'AlreadyExists')) throw error
          const found = await kube.fresh(jobs, { name: job, namespace: runner.namespace }, signal)
          if (!found?.metadata.ownerReferences?.some(({ uid }) => uid === object.metadata.uid))
            throw new Fault('firmware/job-taken', `Cannot start job ${job}: a Job of that name belongs to somebody else`)
        }
      },
    },
    deleteJob: {
      async run({ namespace, job }, { signal }) {
        try {
          await kube.delete(jobs, { namespace, name: job }, { propagation: 'Background', signal })
        } catch (error) {
          if (!ApiError.is(error, 'NotFound')) throw error
        }
      },
    },
    takeOperation: {
      async run(_, { object, signal }) {
        const { name, resourceVersion } = object.metadata
        await kube.patch(
          subject.resource,
          { name },
          { merge: { metadata: { resourceVersion, annotations: { [operationAnnotation]: null } } } },
          { signal },
        )
      },
    },
  }
}

/** The last look before a server is a job's: as it is at this moment, past every cache. */
function whyNotHold(
  { metadata, spec, status }: Server,
  ours: boolean,
  maintenance: { readonly namespace: string; readonly name: string } | undefined,
): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted'
  if (spec.updateRef && !ours) return `job ${spec.updateRef.job} has it`
  const held = spec.serverMaintenanceRef
  if (maintenance)
    return held?.name === maintenance.name && held.namespace === maintenance.namespace && status?.state === 'Maintenance'
      ? undefined
      : 'its maintenance does not hold it any more'
  if (spec.serverClaimRef) return `claim ${spec.serverClaimRef.namespace}/${spec.serverClaimRef.name} has it`
  if (held) return `maintenance ${held.namespace}/${held.name} holds it`
  return status?.state === 'Available' ? undefined : `it is ${status?.state ?? 'not discovered yet'}`
}
