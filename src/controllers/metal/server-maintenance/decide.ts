import { type Condition, isFalse, isTrue } from '../../../core/condition.ts'
import { minutes } from '../../../core/duration.ts'
import { act, idle, type Plan, type Release, release, wait } from '../../../core/plan.ts'
import { imageProblem, imageValid } from '../image-problem.ts'
import type { Seen, SeenClaim, SeenServer } from './seen.ts'

export type Verb =
  /** Labels the claim, so that its owner knows. */
  | { readonly do: 'askOwner'; readonly namespace: string; readonly claim: string }
  /** Takes the labels off again. */
  | { readonly do: 'thankOwner'; readonly namespace: string; readonly claim: string }
  /** Compare-and-set on the Server: it is ours, if nobody holds it. */
  | { readonly do: 'take'; readonly server: string }
  | { readonly do: 'createConfiguration'; readonly name: string }
  | { readonly do: 'updateConfiguration'; readonly name: string }
  | { readonly do: 'nameConfiguration'; readonly server: string; readonly name: string }
  | Release

/** One holder per server by construction: whoever stands in the Server's spec. The server itself boots, and lets go when this is deleted. */
export function decide(seen: Seen): Plan<Verb> {
  const { maintenance, server } = seen
  if (maintenance.deleting) return letGo(seen)
  if (maintenance.templateServer !== undefined && maintenance.templateServer !== maintenance.server) {
    const because = `its template is for server ${maintenance.templateServer}, the maintenance for ${maintenance.server}`
    return pending('Accepted', 'ServersDiffer', because)
  }
  if (!server) return pending('Held', 'NoServer', `there is no server ${maintenance.server}`)
  return server.holder === 'us' ? keep(seen, server) : seek(seen, server)
}

/** The server ends its boot and is put back by its own controller, which then lets go; only that ends the maintenance. */
function letGo({ maintenance, server }: Seen): Plan<Verb> {
  if (server?.holder === 'us') return wait(`waits until server ${server.name} has ended its boot and let go of it`, minutes(1))
  const claim = server?.claim
  if (claim?.asked && !claim.wantedByOthers)
    return act(`${maintenance.name} is over: the owner of claim ${claim.name} need not wait any more`, [{ do: 'thankOwner', ...of(claim) }])
  return act('nothing refers to it any more', [release])
}

function seek(seen: Seen, server: SeenServer): Plan<Verb> {
  const { maintenance, next } = seen
  if (server.deleting) return pending('Held', 'ServerGoes', `server ${server.name} is being deleted`)
  if (server.state === undefined || server.state === 'Initial' || server.state === 'Discovery')
    return pending('Held', 'ServerNotReady', `server ${server.name} has not been discovered yet`)
  // Neither is left for a maintenance: taken now, it would hold a server on which nobody works, and could not end.
  if (server.state === 'Parked')
    return pending('Held', 'ServerParked', `server ${server.name} is parked: it can be taken after rackwright unpark ${server.name}`)
  if (server.state === 'Released')
    return pending('Held', 'ServerReleased', `server ${server.name} is being given back: it can be taken when it is Available`)
  const { claim } = server
  if (claim && !maintenance.enforced && !claim.approved) {
    const because = `waits for the owner of claim ${claim.namespace}/${claim.name} to agree (label metal.ironcore.dev/maintenance-approved: "true")`
    const waits = pending('Held', 'WaitsForApproval', because)
    return claim.asked ? waits : { ...waits, actions: [{ do: 'askOwner', ...of(claim) }] }
  }
  if (server.holder !== 'nobody' && server.holder !== 'us')
    return pending('Held', 'Queued', `maintenance ${server.holder.name} holds server ${server.name}`)
  if (server.updater !== undefined)
    return pending('Held', 'ServerUpdated', `waits for job ${server.updater}, which updates server ${server.name}`)
  if (next && !next.us) return pending('Held', 'Queued', `maintenance ${next.name} goes first`)
  const problem = imageTrouble(seen)
  if (problem) return { ...problem, status: { ...problem.status, state: 'Pending' } }
  return act(`takes server ${server.name}`, [{ do: 'take', server: server.name }], {
    status: { state: 'Pending', conditions: [...valid(seen), isFalse('Held', 'Taking', `server ${server.name} is being taken`)] },
  })
}

function keep(seen: Seen, server: SeenServer): Plan<Verb> {
  const { maintenance, configuration } = seen
  const held = isTrue('Held', 'ServerTaken', `server ${server.name}`)
  const status = (...more: readonly Condition[]) => ({ state: 'InMaintenance', conditions: [held, ...more] })
  const { boot } = maintenance
  if (!boot) return idle(`holds server ${server.name}`, { status: status() })
  if (configuration && !configuration.ours) {
    const because = `a ServerBootConfiguration named ${boot.configuration} belongs to somebody else`
    return idle(because, { status: { state: 'Failed', conditions: [held, isFalse('Configured', 'NameTaken', because)] } })
  }
  if (!configuration?.current) {
    const problem = imageTrouble(seen)
    if (problem) return { ...problem, status: { ...status(...(problem.status.conditions ?? [])), state: 'Failed' } }
    const verb = configuration ? 'updateConfiguration' : 'createConfiguration'
    return act(`says what server ${server.name} boots meanwhile`, [{ do: verb, name: boot.configuration }], {
      status: status(...valid(seen)),
    })
  }
  const configured = isTrue('Configured', 'Created', `ServerBootConfiguration ${boot.configuration}`)
  if (!server.configurationNamed)
    return act(`tells server ${server.name} what to boot`, [{ do: 'nameConfiguration', server: server.name, name: boot.configuration }], {
      status: status(configured),
    })
  if (configuration.problem !== undefined)
    return idle(configuration.problem, {
      status: { state: 'Failed', conditions: [held, configured, isFalse('Bootable', 'ConfigurationFailed', configuration.problem)] },
    })
  return idle(`holds server ${server.name}`, { status: status(configured) })
}

const imageTrouble = ({ maintenance: { boot }, image }: Seen): Plan<Verb> | undefined => {
  if (boot?.image === undefined) return undefined
  return image ? imageProblem(boot.image, boot.policy, image) : idle(`reads image ${boot.image}`)
}

const valid = ({ maintenance: { boot } }: Seen): readonly Condition[] =>
  boot?.image === undefined ? [] : [imageValid(boot.image, boot.policy)]

const pending = (type: string, reason: string, because: string): Plan<Verb> =>
  idle(because, { status: { state: 'Pending', conditions: [isFalse(type, reason, because)] } })

const of = ({ namespace, name }: SeenClaim) => ({ namespace, claim: name })
