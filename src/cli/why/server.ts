import type { BMC, Server, ServerBootConfiguration } from '../../controllers/metal/resources.ts'
import { readProvisioned } from '../../policy/boot/provisioned.ts'
import { because, type Chain, end, link } from './chain.ts'
import { bmcRemedies, conditionIn, otherwise, serverTrouble } from './remedies.ts'

/** What is read before "why" can be answered about a server. */
export interface ServerFacts {
  readonly server: Server
  readonly bmc: BMC | undefined
  /** What the server boots for its claim. */
  readonly configuration: ServerBootConfiguration | undefined
  /** What the boot that was commanded last is about. */
  readonly booting: ServerBootConfiguration | undefined
}

export function whyServer(facts: ServerFacts): Chain {
  const { server } = facts
  const { name } = server.metadata
  return because(link(`server ${name}`, standing(server), undefined), cause(facts, name))
}

function standing({ spec, status }: Server): string {
  const claim = spec.serverClaimRef
  const held = spec.serverMaintenanceRef
  const state = status?.state ?? 'new'
  const power = status?.powerState === undefined ? '' : `, ${status.powerState}`
  const whose = held ? `, held by maintenance ${held.namespace}/${held.name}` : claim ? `, has claim ${claim.namespace}/${claim.name}` : ''
  return `is ${state}${power}${whose}`
}

/** The nearest cause that explains why it does not move, or what it is doing where it does. */
function cause(facts: ServerFacts, name: string): Chain {
  const { server, bmc } = facts
  const silent = bmc && bmcCause(bmc)
  if (silent) return silent
  const { updateRef } = server.spec
  if (updateRef)
    return end(
      link(`job ${updateRef.job}`, `works for ${updateRef.kind} ${updateRef.name}: nothing is switched and no claim takes it meanwhile`),
      'nobody: it goes on by itself',
      `rackwright logs job/${updateRef.job}`,
    )
  for (const [type, bad, remedy] of serverTrouble) {
    const found = conditionIn(server.status, type)
    if (found?.status === bad)
      return end(link(type, found.message || found.reason, found.lastTransitionTime), remedy.who, remedy.command(name))
  }
  return bootCause(facts) ?? configurationCause(facts) ?? rest(facts)
}

function bmcCause({ metadata, status }: BMC): Chain | undefined {
  const ready = conditionIn(status, 'Ready')
  if (ready?.status !== 'False') return undefined
  const remedy = bmcRemedies[ready.reason] ?? otherwise
  return end(
    link(`BMC ${metadata.name}`, ready.message || ready.reason, ready.lastTransitionTime),
    remedy.who,
    remedy.command(metadata.name),
  )
}

const steps = {
  Arming: 'the override is being set and read back',
  Starting: 'its power is being switched',
  Running: 'the machine boots, installs or runs from it',
} as const

function bootCause({ server, booting }: ServerFacts): Chain | undefined {
  const boot = server.status?.boot
  if (!boot || boot.step === 'Ended') return undefined
  const served = booting?.status?.served?.attempt === boot.attempt ? booting.status.served : undefined
  const fetched = (served?.fetches ?? []).map(({ what }) => what).join(', ')
  const reported = served?.reports?.at(-1)?.state
  const seen = [
    fetched === '' ? 'it has fetched nothing yet' : `it has fetched ${fetched}`,
    ...(reported ? [`it reported ${reported}`] : []),
  ]
  const words = boot.method === 'Hdd' ? steps[boot.step] : `${steps[boot.step]}; ${seen.join(', ')}`
  return end(
    link(`boot ${boot.attempt}, ${boot.purpose.toLowerCase()} by ${boot.method}`, words, boot.opened),
    `nobody: it goes on by itself, and is over at ${boot.expires} whatever happens`,
    `rackwright timeline ${server.metadata.name}`,
  )
}

function configurationCause({ server, configuration }: ServerFacts): Chain | undefined {
  if (!server.spec.serverClaimRef || !configuration) return undefined
  const { metadata, status } = configuration
  const name = `${metadata.namespace ?? ''}/${metadata.name}`
  if (status?.state !== 'Ready') {
    const bad = (status?.conditions as readonly { status: string; message: string; lastTransitionTime: string }[] | undefined)?.find(
      c => c.status === 'False',
    )
    return end(
      link(`boot configuration ${name}`, bad?.message ?? 'is not ready yet', bad?.lastTransitionTime),
      status?.state === 'Error' ? 'whoever made the image' : 'nobody: the image is being looked up and fetched',
      `rackwright describe claim/${metadata.name}`,
    )
  }
  const provisioned = readProvisioned(metadata.annotations)
  if (typeof provisioned === 'object')
    return end(
      link(`boot configuration ${name}`, `its annotation provisioned says "${provisioned.unreadable}", which is neither true nor false`),
      'you',
      `rackwright adopt ${server.metadata.name}`,
    )
  return undefined
}

function rest({ server, configuration }: ServerFacts): Chain {
  const { status, spec } = server
  const installed = configuration !== undefined && readProvisioned(configuration.metadata.annotations) === 'yes'
  switch (status?.state) {
    case 'Available':
      return end(
        link('nothing', spec.unclaimable ? 'is waited for; it is cordoned, so no claim takes it' : 'is waited for; a claim may take it'),
      )
    case 'Reserved':
      return end(
        link(
          'nothing',
          installed ? 'is waited for; it is installed and boots from its disk' : 'is known to be wrong; its first boot comes next',
        ),
      )
    case undefined:
      return end(link('nothing', 'was decided yet'), 'nobody: it was made a moment ago', 'rackwright doctor')
    default:
      return end(link('nothing', 'is known to be wrong'))
  }
}
