import { conditionOf } from '../../../core/condition.ts'
import { type Instant, minutes } from '../../../core/duration.ts'
import type { KubeObject } from '../../../core/object.ts'
import { hostProblems } from '../../../policy/metal3/host-rules.ts'
import { rebootOf } from '../../../policy/metal3/reboot.ts'
import type { ControllerKube, Look, ObjectKey, ResourceRef } from '../../../ports/index.ts'
import type { HostOrder, Provisioner } from '../../../ports/provisioner.ts'
import {
  type BareMetalHost,
  dataImages,
  firmwareComponents,
  firmwareSettings,
  hardwareData,
  images,
  secrets,
  updatePolicies,
} from '../resources.ts'
import {
  carriedOf,
  detachedAnnotation,
  detachedOf,
  detailsAnnotation,
  detailsOf,
  inspectAnnotation,
  pausedAnnotation,
  statusAnnotation,
} from './annotations.ts'
import { restOf } from './errors.ts'
import { type FirmwareObjects, firmwareSeen } from './firmware.ts'
import { inspectionMark } from './hardware.ts'
import { imageSeen, ramdiskOf } from './image.ts'
import { hostsAtOnce, inLineOf } from './line.ts'
import { isLostFrom, mediaSeen, starts, wantsDrive } from './media.ts'
import { orderOf } from './order.ts'
import { ownerOf } from './owner.ts'
import { none, phaseOf } from './phases.ts'
import { restartTold } from './rest.ts'
import { ruledBy } from './ruled-by.ts'
import type { Seen, SeenCredentials, SeenHost, SeenImage } from './seen.ts'
import { isInstalled, startsNext } from './servicing.ts'
import { toldProblems } from './told-problems.ts'
import { hasMoved, workOf } from './work.ts'

export interface HostPorts {
  readonly kube: ControllerKube
  readonly engine: Provisioner
  /** Whether somebody builds a ramdisk for each host, as its PreprovisioningImage asks. */
  readonly builds?: boolean
  /** How many hosts boot their ramdisk from the network at a time. */
  readonly atOnce?: number
  now(): Instant
}

/** An installed host waits no longer for its wishes to be checked before it is started. */
const checkPatience = minutes(5)

export async function observe(
  { kube, engine, now, builds = false, atOnce = hostsAtOnce }: HostPorts,
  object: BareMetalHost,
  look: Look,
): Promise<Seen> {
  const host = hostSeen(object, look)
  const key = { name: object.metadata.name, namespace: object.metadata.namespace ?? '' }
  const found = kube.cached.get(hardwareData, key)
  const hardware = found?.spec.hardware
  const credentials = await credentialsOf(kube, object, look.signal)
  const moved = hasMoved(host)
  const problems = [...hostProblems(ruledBy(object)), ...toldProblems(object), ...(moved ? [movedBecause(host)] : [])]
  const inLine = inLineOf(kube.cached, object, atOnce)
  const wishes = firmwareSeen(object, await firmwareObjects(kube, host, key, look.signal))
  const overdue = wishes.unchecked !== undefined && isInstalled(host) && look.lasting(`not checked: ${wishes.unchecked}`) >= checkPatience
  const firmware = overdue ? { ...wishes, unchecked: undefined, uncheckedAtRestart: false } : wishes
  const plain = orderOf(object, hardware, firmware.order)
  const image = builds ? await imageOf(kube, object, host, plain, look) : undefined
  const ramdisk = image && ramdiskOf(image)
  const told = look.last?.because === restartTold && look.last.failed === undefined
  const order = plain && { ...plain, ...(ramdisk ? { ramdisk } : {}), ...(told ? { restartTold: true } : {}) }
  const work = moved || (problems.length > 0 && !host.deleting) ? undefined : workOf(host, credentials, firmware)
  const rest = restOf(host, credentials, work, firmware.wish)
  const unchecked = (work === 'prepare' || work === 'service') && firmware.unchecked !== undefined
  const held =
    rest > 0 || unchecked || (work !== 'register' && (inLine !== undefined || (image?.need === 'required' && image.is !== 'ready')))
  // What is not to be done now is not looked at either: a controller that refuses a password counts how often it was tried.
  const asks = order !== undefined && work !== undefined && !held
  const sight = asks ? await engine.look(order, work, host.memory, look.signal) : undefined
  const turn = asks ? engine.judge(order, work, host.memory, sight, now()) : undefined
  const disc = await reading(kube, host, key, look.signal)(dataImages)
  const media = disc && mediaSeen(disc)
  const lost = asks && starts(turn) && (await isLostFrom(engine, order, media?.shown, look.signal))
  const leaves = work === 'clean' || work === 'letGo' ? turn?.is === 'done' || wantsDrive(turn) : false
  const holds = media && (((media.pending || lost) && starts(turn)) || (media.isIn && leaves))
  return {
    host,
    order,
    credentials,
    problems,
    moved,
    owner: ownerOf(kube.cached, object),
    rest,
    inLine,
    image,
    firmware,
    media: media && { ...media, lost, heldFor: holds ? look.lasting('held for its DataImage') : 0 },
    work,
    turn,
    health: sight === undefined ? undefined : engine.health?.(sight),
    busyFor: turn?.is === 'busy' ? look.lasting(`busy with ${work}`) : 0,
    inspected: found !== undefined && found.metadata.annotations?.[inspectionMark] === host.inspectionBegan,
    hardware,
  }
}

/** Whoever is about to start an installed host asks anew what is to be changed meanwhile: the next restart may be months away. */
function reading(kube: ControllerKube, host: SeenHost, key: ObjectKey, signal: AbortSignal) {
  const asks = isInstalled(host) && startsNext(host) && host.operational !== 'servicing'
  return <O extends KubeObject>(of: ResourceRef<O>): Promise<O | undefined> | O | undefined =>
    asks ? kube.fresh(of, key, signal) : kube.cached.get(of, key)
}

async function firmwareObjects(kube: ControllerKube, host: SeenHost, key: ObjectKey, signal: AbortSignal): Promise<FirmwareObjects> {
  const get = reading(kube, host, key, signal)
  return { settings: await get(firmwareSettings), components: await get(firmwareComponents), policy: await get(updatePolicies) }
}

const movedBecause = ({ address = '', registeredAt = '' }: SeenHost): string =>
  `bmc.address changed from ${registeredAt} to ${address}, which is not asked for anything: detach the host first, or put the address back`

async function imageOf(
  kube: ControllerKube,
  object: BareMetalHost,
  host: SeenHost,
  order: HostOrder | undefined,
  look: Look,
): Promise<SeenImage> {
  const { name, namespace = '' } = object.metadata
  const settings = object.spec?.preprovisioningNetworkDataName
  const secret = settings === undefined ? undefined : await kube.fresh(secrets, { name: settings, namespace }, look.signal)
  const network = settings === undefined ? undefined : { name: settings, version: secret?.metadata.resourceVersion }
  const seen = imageSeen(object, host.standing.phase ?? none, order, kube.cached.get(images, { name, namespace }), network)
  return { ...seen, missedFor: seen.need === 'required' && seen.is !== 'ready' ? look.lasting('its ramdisk is not built') : 0 }
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
    address: spec?.bmc?.address,
    registeredAt: status?.bmcAddress,
    bootMAC: spec?.bootMACAddress,
    notedMAC: status?.bootMACAddress,
    external: spec?.externallyProvisioned ?? false,
    inspects: spec?.inspectionMode !== 'disabled' && inspect !== 'disabled',
    wantsInspection: inspect !== undefined && inspect !== 'disabled',
    told: detailsOf(annotations[detailsAnnotation]),
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
    edited: status?.observedGeneration !== undefined && status.observedGeneration !== metadata.generation,
    fails: { count: status?.provisioningFailCount ?? 0, of: status?.lastAttempted },
    written: status?.firmwareUpdates ?? [],
    goodCredentials: status?.goodCredentials?.credentialsVersion,
    triedCredentials: status?.triedCredentials?.credentialsVersion,
    carried: isNew ? carriedOf(carried) : undefined,
    hasCarried: carried !== undefined,
    hasHealth: conditionOf(status, 'Healthy') !== undefined,
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
