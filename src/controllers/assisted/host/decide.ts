import { isFalse, isTrue } from '../../../core/condition.ts'
import type { Instant } from '../../../core/duration.ts'
import { act, idle, type Plan } from '../../../core/plan.ts'
import { agentWords, isInstalling } from '../../../policy/assisted/progress.ts'
import { detachedAnnotation } from '../../metal3/host/annotations.ts'
import { assistedDetached, liveIso } from './live-iso.ts'
import { conditionType } from './observe.ts'
import type { Seen, Verb } from './seen.ts'

export const method = 'start_assisted_install'
/** It is known what it is made of, and nothing is installed yet. */
const isAtHand = (state: string): boolean => ['preparing', 'ready', 'available'].includes(state)

/** What is done for a host of an InfraEnv, in the place of the assisted service's own controller; and how far that is. */
export function decide(seen: Seen, now: Instant): Plan<Verb> {
  const { host, infraEnv, held } = seen
  if (host.linked === undefined)
    return host.standing ? says('NotLinked', 'it belongs to no InfraEnv', []) : idle('it belongs to no InfraEnv')
  if (held !== undefined) return says('StandsDown', `it is left to the assisted service: ${held}`, [])
  if (host.external) return says('ExternallyProvisioned', 'somebody else installed it', [])
  if (!infraEnv) return says('InfraEnvMissing', `there is no InfraEnv ${host.linked}`, [])
  return seen.flow.is === 'converged' || host.method !== undefined ? converged(seen) : liveIso(seen, seen.flow, now)
}

function converged(seen: Seen): Plan<Verb> {
  const { host, infraEnv, agent } = seen
  // What an assisted service detached before is taken back when its agent leaves its cluster.
  if (host.detachedBy !== undefined && !(agent?.unbinding && host.detachedBy === assistedDetached))
    return says('Detached', 'it is detached, and left alone', [])
  const uri = infraEnv?.ignition
  if (uri === undefined) {
    const why = infraEnv?.because === undefined ? '' : `: ${infraEnv.because}`
    return says('WaitingForIgnition', `InfraEnv ${host.linked} does not say where its Ignition is${why}`, [])
  }
  const points = pointsTo(seen, uri)
  // Whatever else is to be done: cleaning and inspection need the image.
  if (host.deleting) return points.actions.length > 0 ? act('its image is pointed to its InfraEnv', points.actions) : idle('it is deleted')
  const about = wordsOf(seen, points.stale)
  const told: readonly Verb[] = agent?.lacks ? [{ do: 'tell', agent, patch: agent.lacks }] : []
  return says(about.reason, about.message, [...points.actions, ...wishes(seen, points.restarts), ...told], about.holds)
}

interface Pointing {
  readonly actions: readonly Verb[]
  /** It was booted with what its InfraEnv said before. */
  readonly stale: boolean
  /** So that it is booted anew. */
  readonly restarts: boolean
}

/** An image is pointed to its InfraEnv; one that a machine runs from stays, unless nothing would be lost. */
function pointsTo({ image, host, agent }: Seen, uri: string): Pointing {
  if (!image || image.override === uri) return { actions: [], stale: false, restarts: false }
  const point: Verb = { do: 'point', image, uri }
  // What failed too often is tried again with what its InfraEnv says now.
  if (!image.isBuilt || !host.booted)
    return { actions: [point], stale: false, restarts: host.givenUp !== undefined && host.method === method }
  const loses = host.state !== 'provisioning' || isInstalling(agent?.stage)
  return loses ? { actions: [], stale: true, restarts: false } : { actions: [point], stale: true, restarts: host.method === method }
}

/** What is asked of the host: to be installed by its agent, or to be given back. */
function wishes({ host, agent, leastMemory, flow }: Seen, restarts: boolean): readonly Verb[] {
  const attached = host.detachedBy === undefined ? {} : { metadata: { annotations: { [detachedAnnotation]: null } } }
  const gives: Verb = { do: 'change', merge: { ...attached, spec: { customDeploy: null } } }
  if (restarts || (agent?.unbinding && host.state === 'provisioned' && host.method === method)) return [gives]
  // Its controller forgets failures when it sees that nothing is wanted.
  const mayAsk = !host.remembers && host.method === undefined && host.image === undefined && flow.is === 'converged'
  const fits = host.memory === undefined || host.memory >= leastMemory
  return mayAsk && fits && isAtHand(host.state) ? [{ do: 'change', merge: { spec: { customDeploy: { method } } } }] : []
}

function wordsOf(seen: Seen, stale: boolean): { readonly reason: string; readonly message: string; readonly holds?: boolean } {
  const { host, agent, leastMemory, flow } = seen
  const { state } = host
  if (host.image !== undefined && host.method === undefined)
    return { reason: 'OwnImage', message: 'it has an image of its own, and is left to that' }
  if (host.memory !== undefined && host.memory < leastMemory && state !== 'provisioned')
    return { reason: 'TooLittleMemory', message: `it has ${host.memory} MiB of memory, and two agents need ${leastMemory} MiB` }
  if (agent?.wrong !== undefined) return { reason: 'ConfigurationError', message: agent.wrong }
  if (host.method !== undefined && host.method !== method)
    return { reason: 'OtherMethod', message: `it is installed by ${host.method}, as it says itself` }
  if (flow.is === 'live-iso' && host.method === method && state !== 'provisioned')
    return { reason: flow.reason, message: `customDeploy is set, and ${flow.because}: nobody may build its image` }
  if (agent?.unbinding && state !== 'provisioning')
    return { reason: 'Unbinding', message: 'its agent has left its cluster: the host is given back, and waits for another' }
  if (state === 'provisioned' && host.method === method) return { reason: 'Installed', message: 'its agent has installed it', holds: true }
  const failed = host.failed ?? (state === 'available' ? host.givenUp : undefined)
  if (failed !== undefined) return { reason: 'Failed', message: failed }
  if (stale)
    return {
      reason: 'InfraEnvChanged',
      message: `InfraEnv ${host.linked} has changed since it was booted: it is used from the next start on`,
    }
  if (state === 'provisioning')
    return agent
      ? agentWords(agent)
      : { reason: 'WaitingForAgent', message: 'it is being booted, or its agent has not called the assisted service yet' }
  return { reason: 'NotYet', message: `the host is ${state === '' ? 'new' : state}` }
}

/** One condition of its own on the host, whose other words are its controller's. */
export function says(reason: string, message: string, actions: readonly Verb[], holds = false): Plan<Verb> {
  const status = { conditions: [holds ? isTrue(conditionType, reason, message) : isFalse(conditionType, reason, message)] }
  return actions.length > 0 ? act(message, actions, { status }) : idle(message, { status })
}
