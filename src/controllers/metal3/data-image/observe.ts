import { conditionOf } from '../../../core/condition.ts'
import { discProblem, restAfter } from '../../../policy/metal3/data-image.ts'
import type { ControllerKube, Look } from '../../../ports/index.ts'
import type { DiscCheck, Provisioner } from '../../../ports/provisioner.ts'
import { detachedAnnotation, pausedAnnotation } from '../host/annotations.ts'
import { orderOf } from '../host/order.ts'
import { phaseOf } from '../host/phases.ts'
import { type BareMetalHost, type DataImage, hosts, mediaFinalizer } from '../resources.ts'
import type { Seen, SeenHost, SeenImage } from './seen.ts'
import { isAboutToStart } from './window.ts'

export interface MediaPorts {
  readonly kube: ControllerKube
  readonly engine: Provisioner
  readonly discs?: DiscCheck
}

export async function observe({ kube, engine, discs }: MediaPorts, object: DataImage, look: Look): Promise<Seen> {
  const found = kube.cached.get(hosts, { name: object.metadata.name, namespace: object.metadata.namespace ?? '' })
  const image = imageSeen(object, found, look)
  const host = found && hostSeen(found)
  // What was put in is taken out again, whatever somebody made of its address meanwhile.
  const wanted = image.deleting || !host?.steady || image.problem !== undefined ? undefined : image.url
  const settled = image.begun === undefined && image.attached === wanted
  const immediate = object.spec?.immediate === true
  const anytime = immediate || (host?.steady === true && found?.spec?.disablePowerOff === true)
  const leaves = host !== undefined && !host.steady && image.held
  const starts = host?.steady === true && isAboutToStart(found!)
  const window = host !== undefined && !settled && (immediate || leaves || starts)
  // What is in is looked at before each start, too: a controller may have lost it.
  const looks = (window && (image.rest === 0 || image.begun !== undefined)) || (settled && starts && image.attached !== undefined)
  const asks = looks && isOurs(host) && host.order !== undefined
  const sight = asks ? await engine.media?.look(host.order, look.signal) : undefined
  const inserts = asks && wanted !== undefined && image.begun === undefined && image.attached === undefined
  return {
    image,
    host,
    window,
    anytime,
    immediate,
    wanted,
    sight,
    disc: inserts ? await (discs?.of(wanted, look.signal) ?? 'unknown') : undefined,
    said: look.last?.because,
    lastFailed: look.last?.failed,
  }
}

/** Nobody asks the machine of a host that is left alone, or that is not its own. */
const isOurs = (host: SeenHost | undefined): host is SeenHost =>
  host !== undefined && !host.paused && !host.detached && host.refused === undefined

function imageSeen({ metadata, spec, status }: DataImage, host: BareMetalHost | undefined, { lasting }: Look): SeenImage {
  const { begun } = status ?? {}
  const url = spec?.url ?? ''
  const tries = status?.tries ?? 0
  const failures = status?.error?.count ?? 0
  return {
    name: metadata.name,
    url,
    deleting: metadata.deletionTimestamp !== undefined,
    held: metadata.finalizers?.includes(mediaFinalizer) ?? false,
    owned: host !== undefined && (metadata.ownerReferences ?? []).some(({ uid }) => uid === host.metadata.uid),
    accepted: conditionOf(status, 'Accepted')?.reason !== 'NoVirtualMedia',
    problem: discProblem(url),
    attached: status?.attachedImage?.url,
    drive: status?.drive,
    controller: status?.controller,
    begun,
    givenFor: begun ? lasting(`begun ${begun.step} ${begun.since}`) : 0,
    tries,
    failures,
    rest: tries > 0 ? Math.max(0, restAfter(tries) - lasting(`failed ${failures}`)) : 0,
  }
}

function hostSeen(host: BareMetalHost): SeenHost {
  const { metadata, spec, status } = host
  const annotations = metadata.annotations ?? {}
  const phase = phaseOf(status?.provisioning?.state)
  return {
    uid: metadata.uid ?? '',
    revision: metadata.resourceVersion,
    order: orderOf(host, undefined),
    phase,
    steady: (phase === 'provisioned' || phase === 'externally provisioned') && metadata.deletionTimestamp === undefined,
    refused: refusalOf(spec?.bmc?.address, status),
    paused: pausedAnnotation in annotations,
    detached: detachedAnnotation in annotations || status?.operationalStatus === 'detached',
    poweredOn: status?.poweredOn ?? false,
  }
}

/** A host whose controller was moved, or that has not been found to be the owner of its machine, is not asked for anything: nobody there is told a password. */
function refusalOf(address: string | undefined, status: BareMetalHost['status']): string | undefined {
  if (status?.bmcAddress !== undefined && status.bmcAddress !== address) return `its host was registered at ${status.bmcAddress}`
  const said = conditionOf(status, 'Accepted')
  return said?.status === 'True' ? undefined : `its host is not accepted${said?.message ? `: ${said.message}` : ' yet'}`
}
