import { type Job, jobEnd } from '../../../api/batch/job.ts'
import { jobPrograms } from '../../../api/metal/firmware-shapes.ts'
import { minutes } from '../../../core/duration.ts'
import { Fault } from '../../../core/fault.ts'
import { parseInstant } from '../../../core/instant.ts'
import type { KubeObject } from '../../../core/object.ts'
import { spread } from '../../../core/spread.ts'
import { jobName } from '../../../policy/firmware/job-name.ts'
import { firstAtOnce, scanPeriod } from '../../../policy/firmware/scan-due.ts'
import type { ControllerKube, Look } from '../../../ports/index.ts'
import { operationAnnotation } from '../../metal/operation.ts'
import { maintenances, type Server, servers } from '../../metal/resources.ts'
import { byOwner, byServer, neverScanned, underWay } from '../indexes.ts'
import { jobs } from '../resources.ts'
import { runnerFor } from '../runner.ts'
import { defaultMaxJobs, type FirmwarePorts } from '../settings.ts'
import { itsServer } from './its-server.ts'
import { updatesLabel } from './names.ts'
import type { Seen, SeenJob, SeenMachine, SeenServer, SeenTrouble } from './seen.ts'
import type { Program, Subject, Target, TargetStatus } from './subject.ts'

export async function observe<T extends Target & KubeObject>(
  ports: FirmwarePorts,
  subject: Subject<T>,
  object: T,
  look: Look,
): Promise<Seen> {
  const { kube, maxJobs = defaultMaxJobs } = ports
  const { metadata, status } = object
  const name = itsServer(kube, subject, object)
  const server = kube.cached.get(servers, { name })
  const differences = subject.differences(object)
  const names = Object.fromEntries(
    [subject.scan, ...differences.map(({ program }) => program)].map(program => [program, nameOf(subject, object, program)]),
  )
  const job = await jobSeen(kube, subject, object, look)
  const seenServer = server && serverSeen(ports, subject, object, server)
  const deleting = metadata.deletionTimestamp !== undefined
  const running = kube.cached.by(jobs, underWay, 'yes').length
  const runner = runnerFor(ports, metadata.labels, server?.status?.manufacturer)
  const { lastJob } = status ?? {}
  return {
    target: {
      name: metadata.name,
      generation: metadata.generation ?? 0,
      deleting,
      deletingFor: deleting ? look.lasting('deleting') : 0,
      known: subject.isKnown(object),
      scan: {
        period: scanPeriod(object.spec.scanPeriodMinutes) ?? minutes(30),
        lastScanTime: status?.lastScanTime,
        seenFor: look.lasting(`scanned ${status?.lastScanTime}`),
        turn: spread(metadata.uid ?? metadata.name) / 2 ** 32,
        inLineSince:
          status?.lastScanTime === undefined && kube.cached.by(subject.resource, neverScanned, 'yes').length > firstAtOnce
            ? parseInstant(metadata.creationTimestamp ?? '')
            : undefined,
      },
      differences,
      surplus: subject.surplus(object),
      lastJob,
      lastJobFor: look.lasting(`job ${lastJob?.name} ${lastJob?.outcome}`),
      trouble: troubleSeen(status?.trouble, look),
      scanTrouble: troubleSeen(status?.scanTrouble, look),
      counted: status?.jobs ?? 0,
      retryAsked: metadata.annotations?.[operationAnnotation] === 'retry',
      scanAsked: metadata.annotations?.[operationAnnotation] === 'scan',
      stands: Object.fromEntries((status?.conditions ?? []).map(({ type, status: is }) => [type, is])),
    },
    movedFrom: name === object.spec.serverRef.name ? undefined : name,
    rival: rivalOf(kube, subject, object),
    server: seenServer,
    job,
    names,
    runner: runner && { name: runner.name, image: runner.spec.image, namespace: runner.namespace },
    full: running >= maxJobs ? running : undefined,
    machine: server && seenServer?.updater?.ours && isOver(job) ? await machineSeen(ports, server, look) : undefined,
  }
}

const troubleSeen = (trouble: TargetStatus['trouble'], { lasting }: Look): SeenTrouble | undefined =>
  trouble && {
    ...trouble,
    retryAt: trouble.next === undefined ? undefined : parseInstant(trouble.next),
    retryFor: lasting(`trouble ${trouble.job}`),
  }

const isOver = (job: SeenJob | undefined): boolean => job === undefined || !['pending', 'running'].includes(job.is)

const nameOf = <T extends Target & KubeObject>(subject: Subject<T>, { metadata, status }: T, program: Program): string =>
  jobName(subject.prefix, metadata.name, metadata.uid ?? '', program, (status?.jobs ?? 0) + 1)

/** The oldest object for a server counts; of two of the same second the one whose UID comes first. */
function rivalOf<T extends Target & KubeObject>(kube: ControllerKube, { resource }: Subject<T>, object: T): string | undefined {
  const age = ({ metadata }: KubeObject): string => `${metadata.creationTimestamp} ${metadata.uid}`
  const others = kube.cached
    .by(resource, byServer, object.spec.serverRef.name)
    .filter(({ metadata }) => metadata.uid !== object.metadata.uid)
  const first = others.toSorted((a, b) => (age(a) < age(b) ? -1 : 1))[0]
  return first && age(first) < age(object) ? first.metadata.name : undefined
}

async function jobSeen<T extends Target & KubeObject>(
  kube: ControllerKube,
  subject: Subject<T>,
  object: T,
  { signal }: Look,
): Promise<SeenJob | undefined> {
  const ref = object.status?.runningJob
  if (ref) {
    const found = kube.cached.get(jobs, ref) ?? (await kube.fresh(jobs, ref, signal))
    return found
      ? jobOf(found, true)
      : { ...ref, program: programOf(subject, object, ref.name), named: true, is: 'gone', image: '', message: undefined }
  }
  const next = (object.status?.jobs ?? 0) + 1
  const made = kube.cached.by(jobs, byOwner, object.metadata.uid ?? '').find(({ metadata }) => metadata.name.endsWith(`-${next}`))
  return made && jobOf(made, false)
}

/** Which program a Job that is gone ran: the one whose Job was called so. */
const programOf = <T extends Target & KubeObject>({ prefix, scan }: Subject<T>, { metadata, status }: T, job: string): Program =>
  jobPrograms.find(program => jobName(prefix, metadata.name, metadata.uid ?? '', program, status?.jobs ?? 0) === job) ?? scan

function jobOf(job: Job, named: boolean): SeenJob {
  const { metadata, spec, status } = job
  const [container] = spec.template.spec.containers
  const end = jobEnd(job)
  const begun = (status?.active ?? 0) > 0 || (status?.failed ?? 0) > 0
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    program: container?.args?.[1] as Program,
    named,
    is: end === 'Complete' ? 'complete' : end === 'Failed' ? 'failed' : begun ? 'running' : 'pending',
    image: container?.image ?? '',
    message: status?.conditions?.find(({ message }) => message !== undefined && message !== '')?.message,
  }
}

function serverSeen<T extends Target & KubeObject>(
  { kube, namespace }: FirmwarePorts,
  { kind, backRef }: Subject<T>,
  { metadata }: T,
  server: Server,
): SeenServer {
  const { updateRef, serverMaintenanceRef: held, serverClaimRef: claim } = server.spec
  const maintenance = held && kube.cached.get(maintenances, held)
  const forUs = maintenance?.metadata.labels?.[updatesLabel] === metadata.uid && maintenance?.metadata.namespace === namespace
  return {
    name: server.metadata.name,
    state: server.status?.state ?? 'Initial',
    claim: claim && `${claim.namespace}/${claim.name}`,
    deleting: server.metadata.deletionTimestamp !== undefined,
    power: server.status?.powerState,
    refers: server.spec[backRef]?.name === metadata.name,
    updater: updateRef && { job: updateRef.job, ours: updateRef.kind === kind && updateRef.uid === metadata.uid },
    maintenance: held && { ...held, ours: forUs && maintenance?.metadata.deletionTimestamp === undefined },
  }
}

/** Whether the machine can be given back: what its BMC says right now. */
async function machineSeen({ pool }: FirmwarePorts, { spec }: Server, { signal, lasting }: Look): Promise<SeenMachine> {
  try {
    return await pool.use(
      spec.bmcRef?.name ?? '',
      async bmc => {
        const power = await bmc.power.state(signal)
        const busy = ((await bmc.firmware?.running(signal)) ?? []).length > 0
        return { is: 'there', busy, power, onFor: power === 'Off' ? 0 : lasting('left on') }
      },
      signal,
    )
  } catch (error) {
    if (!(error instanceof Fault) || !error.code.startsWith('bmc/')) throw error
    return { is: 'silent', because: error.message }
  }
}
