import type { Instant } from '../../../core/duration.ts'
import { hostProblems } from '../../../policy/metal3/host-rules.ts'
import { rebootOf } from '../../../policy/metal3/reboot.ts'
import type { ControllerKube, Look } from '../../../ports/index.ts'
import type { Provisioner } from '../../../ports/provisioner.ts'
import { type BareMetalHost, hardwareData, secrets } from '../resources.ts'
import { carriedOf, detachedAnnotation, detachedOf, inspectAnnotation, pausedAnnotation, statusAnnotation } from './annotations.ts'
import { inspectionMark } from './hardware.ts'
import { orderOf } from './order.ts'
import { ownerOf } from './owner.ts'
import { phaseOf } from './phases.ts'
import type { Seen, SeenCredentials, SeenHost } from './seen.ts'
import { workOf } from './work.ts'

export interface HostPorts {
  readonly kube: ControllerKube
  readonly engine: Provisioner
  now(): Instant
}

export async function observe({ kube, engine, now }: HostPorts, object: BareMetalHost, look: Look): Promise<Seen> {
  const host = hostSeen(object, look)
  const order = orderOf(object)
  const credentials = await credentialsOf(kube, object, look.signal)
  const problems = hostProblems(ruled(object))
  const work = problems.length > 0 && !host.deleting ? undefined : workOf(host, credentials)
  const asks = order !== undefined && work !== undefined
  const sight = asks ? await engine.look(order, work, host.memory, look.signal) : undefined
  const turn = asks ? engine.judge(order, work, host.memory, sight, now()) : undefined
  const found = kube.cached.get(hardwareData, { name: object.metadata.name, namespace: object.metadata.namespace ?? '' })
  return {
    host,
    order,
    credentials,
    problems,
    owner: ownerOf(kube.cached, object),
    work,
    turn,
    busyFor: turn?.is === 'busy' ? look.lasting(`busy with ${work}`) : 0,
    inspected: found !== undefined && found.metadata.annotations?.[inspectionMark] === host.inspectionBegan,
  }
}

function hostSeen({ metadata, spec, status }: BareMetalHost, { lasting }: Look): SeenHost {
  const annotations = metadata.annotations ?? {}
  const inspect = annotations[inspectAnnotation]
  const carried = annotations[statusAnnotation]
  const isNew = status?.lastUpdated === undefined
  return {
    name: metadata.name,
    deleting: metadata.deletionTimestamp !== undefined,
    standing: { phase: phaseOf(status?.provisioning?.state), phaseSince: undefined },
    online: spec?.online ?? false,
    hasBmc: (spec?.bmc?.address ?? '') !== '',
    external: spec?.externallyProvisioned ?? false,
    inspects: spec?.inspectionMode !== 'disabled' && inspect !== 'disabled',
    wantsInspection: inspect !== undefined && inspect !== 'disabled',
    paused: pausedAnnotation in annotations,
    detached: detachedOf(annotations[detachedAnnotation]),
    reboot: rebootOf(annotations),
    wanted: wantedOf(spec),
    installed: wantedOf(status?.provisioning),
    neverOff: spec?.disablePowerOff ?? false,
    poweredOn: status?.poweredOn ?? false,
    memory: status?.engine,
    operational: status?.operationalStatus ?? '',
    error:
      status?.errorType === undefined
        ? undefined
        : {
            type: status.errorType,
            message: status.errorMessage,
            count: status.errorCount,
            restsFor: lasting(`failed ${status.errorType} ${status.errorCount}`),
          },
    errorCount: status?.errorCount ?? 0,
    fails: { count: status?.provisioningFailCount ?? 0, of: status?.lastAttemptedImage },
    goodCredentials: status?.goodCredentials?.credentialsVersion,
    carried: isNew ? carriedOf(carried) : undefined,
    hasCarried: carried !== undefined,
    spec,
    inspectionBegan: status?.operationHistory?.inspect?.start ?? undefined,
  }
}

/** One text for what is to be installed: only another address or another method is another wish. */
function wantedOf(
  of: { readonly image?: { readonly url: string }; readonly customDeploy?: { readonly method: string } } | undefined,
): string | undefined {
  const url = of?.image?.url
  const method = of?.customDeploy?.method
  return url || method ? [url ?? '', method ?? ''].join(' ').trim() : undefined
}

async function credentialsOf(kube: ControllerKube, { metadata, spec }: BareMetalHost, signal: AbortSignal): Promise<SeenCredentials> {
  const name = spec?.bmc?.credentialsName
  if (!spec?.bmc?.address) return { is: 'unwanted' }
  if (!name) return { is: 'missing', because: 'bmc.credentialsName names no Secret' }
  const found = await kube.fresh(secrets, { name, namespace: metadata.namespace ?? '' }, signal)
  if (!found) return { is: 'missing', because: `Secret ${name} with the credentials of its management controller is not there` }
  const lacks = ['username', 'password'].filter(key => !found.data?.[key])
  if (lacks.length > 0) return { is: 'missing', because: `Secret ${name} has no ${lacks.join(' and no ')}` }
  return { is: 'there', name, version: found.metadata.resourceVersion ?? '' }
}

function ruled({ metadata, spec }: BareMetalHost): Parameters<typeof hostProblems>[0] {
  const { image, raid, rootDeviceHints, bmc, bootMACAddress, inspectionMode } = spec ?? {}
  return {
    name: metadata.name,
    namespace: metadata.namespace ?? '',
    ...(bmc?.address ? { bmcAddress: bmc.address } : {}),
    ...(bootMACAddress === undefined ? {} : { bootMACAddress }),
    ...(inspectionMode === undefined ? {} : { inspectionMode }),
    ...(image ? { image } : {}),
    ...(rootDeviceHints?.deviceName === undefined ? {} : { rootDeviceName: rootDeviceHints.deviceName }),
    secrets: (['userData', 'networkData', 'metaData'] as const).map(field => ({ field, ...spec?.[field] })),
    usesFirmwareField: spec?.firmware !== undefined,
    ...(raid ? { raid: { hardware: raid.hardwareRAIDVolumes ?? [], software: raid.softwareRAIDVolumes ?? [] } } : {}),
  }
}
