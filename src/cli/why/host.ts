import type { Agent } from '../../controllers/assisted/resources.ts'
import type { BareMetalHost, DataImage } from '../../controllers/metal3/resources.ts'
import { whyAssisted } from './assisted.ts'
import { because, type Chain, end, link } from './chain.ts'
import { discLink, whyDisc } from './data-image.ts'
import { comeTo, type HostFirmware, whyFirmware } from './host-firmware.ts'
import { conditionIn, type Remedy } from './remedies.ts'

/** What else is said of a host, by objects of its own name. */
export interface HostSatellites extends HostFirmware {
  readonly disc?: DataImage | undefined
  /** The assisted agent that runs on it. */
  readonly agent?: Agent | undefined
}

export function whyHost(host: BareMetalHost, { disc, agent, ...firmware }: HostSatellites = {}): Chain {
  const { name, namespace = '' } = host.metadata
  return because(link(`host ${namespace}/${name}`, standing(host)), cause(host, firmware, disc, agent))
}

function standing({ spec, status }: BareMetalHost): string {
  const state = status?.provisioning?.state || 'new'
  const ramdisk = status?.engine?.stage === 'agent' ? ' with its ramdisk' : ''
  const power = status?.lastUpdated === undefined ? '' : status.poweredOn ? `, on${ramdisk}` : ', off'
  const user = spec?.consumerRef?.name
  return `is ${state}${power}${user === undefined ? '' : `, used by ${user}`}`
}

const annotation = (name: string): string => `baremetalhost.metal3.io/${name}`

/** The nearest cause that explains why it does not move, or what it is doing where it does. */
function cause(host: BareMetalHost, firmware: HostFirmware, disc: DataImage | undefined, agent: Agent | undefined): Chain {
  const { metadata, status } = host
  const annotations = metadata.annotations ?? {}
  const take = (name: string): string => `kubectl -n ${metadata.namespace ?? 'default'} annotate bmh ${metadata.name} ${name}-`
  if (annotation('paused') in annotations)
    return end(
      link(`annotation ${annotation('paused')}`, 'says that nothing is done with it'),
      'whoever put it there',
      take(annotation('paused')),
    )
  if (status?.operationalStatus === 'detached')
    return end(
      link(`annotation ${annotation('detached')}`, 'says that it is left alone'),
      'whoever put it there',
      take(annotation('detached')),
    )
  for (const type of ['Accepted', 'Reconciled'] as const) {
    const found = conditionIn(status, type)
    if (found?.status === 'False')
      return end(link(type, found.message || found.reason, found.lastTransitionTime), ...wayOf(remedies[type] ?? again, host))
  }
  if (status?.errorType !== undefined)
    return end(
      link(status.errorType, `${status.errorMessage}${status.errorCount > 1 ? ` (${status.errorCount} times)` : ''}`),
      ...wayOf(remedies[status.errorType] ?? again, host),
    )
  return whyAssisted(host, agent) ?? doing(host, disc) ?? held(host) ?? whyDisc(host, disc) ?? resting(host, firmware) ?? rest(host, disc)
}

const describe = ({ metadata }: BareMetalHost): string => `rackwright describe host/${metadata.name} -n ${metadata.namespace ?? 'default'}`
const edit = (host: BareMetalHost): string => `kubectl -n ${host.metadata.namespace ?? 'default'} edit bmh ${host.metadata.name}`

interface Way extends Omit<Remedy, 'command'> {
  command(host: BareMetalHost): string
}

const credentials: Way = {
  who: 'you, or whoever looks after its management controller; it is tried again by itself',
  command: ({ metadata, spec }) =>
    `kubectl -n ${metadata.namespace ?? 'default'} edit secret ${spec?.bmc?.credentialsName ?? metadata.name}`,
}
const image: Way = { who: 'whoever made the image, or you with another one; it is tried again by itself', command: edit }

const firmwareWay: Way = {
  who: 'whoever wants its firmware so, with another wish; it is tried again by itself, for an installed host at its next restart',
  command: ({ metadata }) =>
    `kubectl -n ${metadata.namespace ?? 'default'} get hostfirmwaresettings,hostfirmwarecomponents ${metadata.name} -o yaml`,
}

const again: Way = { who: 'nobody yet: it is tried again by itself', command: describe }

const remedies: Readonly<Record<string, Way>> = {
  Accepted: { who: 'you: something of it has to be another', command: edit },
  'registration error': credentials,
  'provisioned registration error': credentials,
  'provisioning error': image,
  'preparation error': firmwareWay,
  'servicing error': firmwareWay,
  'power management error': { who: 'whoever looks after the machine; it is tried again by itself', command: describe },
}

const wayOf = ({ who, command }: Way, host: BareMetalHost): [string, string] => [who, command(host)]

const byItself = 'nobody: it goes on by itself'

/** What is under way, or what that waits for. */
function doing(host: BareMetalHost, disc: DataImage | undefined): Chain | undefined {
  const { status } = host
  const givenUp = conditionIn(status, 'AvailableForProvisioning')
  if (givenUp?.reason === 'TooManyFailures')
    return end(link('installing it', givenUp.message, givenUp.lastTransitionTime), ...wayOf(image, host))
  const progressing = conditionIn(status, 'Progressing')
  if (status?.operationalStatus === 'servicing' && status.engine && progressing?.reason !== 'Waiting')
    return end(link('servicing', comeTo(status.engine), status.engine.since), byItself, `rackwright timeline host/${host.metadata.name}`)
  if (progressing?.status !== 'True') return undefined
  if (progressing.reason === 'Waiting') {
    const waits = link(progressing.reason, progressing.message, progressing.lastTransitionTime)
    const found = disc && progressing.message.includes('DataImage') ? end(discLink(disc), byItself, describe(host)) : undefined
    return found ? because(waits, found) : end(waits, byItself, describe(host))
  }
  const engine = status?.engine
  return end(
    engine === undefined || engine.work === 'none'
      ? link(progressing.reason, 'is under way', progressing.lastTransitionTime)
      : link(`${engine.work}, try ${engine.attempt}`, comeTo(engine), engine.since),
    byItself,
    `rackwright timeline host/${host.metadata.name}`,
  )
}

/** Somebody keeps it off. */
function held({ metadata, spec, status }: BareMetalHost): Chain | undefined {
  const [holder] = Object.keys(metadata.annotations ?? {}).filter(name => name.startsWith('reboot.metal3.io/'))
  if (holder === undefined || !spec?.online || status?.poweredOn) return undefined
  return end(
    link(`annotation ${holder}`, 'holds it off'),
    'whoever put it there',
    `kubectl -n ${metadata.namespace ?? 'default'} annotate bmh ${metadata.name} ${holder}-`,
  )
}

/** Only where it may be long: one that is available is prepared once more by itself. */
const resting = (host: BareMetalHost, firmware: HostFirmware): Chain | undefined =>
  ['available', 'provisioned', 'externally provisioned'].includes(host.status?.provisioning?.state ?? '')
    ? whyFirmware(host, firmware)
    : undefined

function rest(host: BareMetalHost, disc: DataImage | undefined): Chain {
  const url = disc?.status?.attachedImage?.url
  const finds = url === undefined ? '' : `; it finds ${url} in a drive`

  switch (host.status?.provisioning?.state) {
    case undefined:
    case '':
      return end(link('nothing', 'was decided yet'), 'nobody: it was made a moment ago', 'rackwright doctor')
    case 'unmanaged':
      return end(link('its management controller', 'is not named: it is only known, and nothing is done with it'), 'you', edit(host))
    case 'available':
      return end(
        link('nothing', `is waited for; an image may be given to it${host.spec?.online ? '' : ', and online must be true for that'}`),
      )
    case 'provisioned':
      return end(
        link('nothing', `is waited for; it is installed with ${host.status.provisioning.image?.url ?? 'what was asked for'}${finds}`),
      )
    default:
      return end(link('nothing', `is known to be wrong${finds}`))
  }
}
