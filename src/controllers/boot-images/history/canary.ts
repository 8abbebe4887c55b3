import { parseInstant } from '../../../core/instant.ts'
import { reach } from '../../../policy/boot-images/reach.ts'
import type { Cached } from '../../../ports/index.ts'
import { type BootImageHistory, type Foreign, histories, type Source, sourceOf } from '../resources.ts'
import type { SeenCanary } from './seen.ts'

/**
 * Who goes first with a new content, and how far that is. The first by name of those that can be changed at all: every process that looks
 * says the same, so no two go first.
 */
export function canaryOf(cached: Cached, sources: readonly Source[], us: BootImageHistory, generation: number): SeenCanary | undefined {
  const all = cached.list(histories)
  const chosen = all.find(({ status }) => status?.sync?.canary !== undefined && status.sync.configMapGeneration === generation)
  const candidates = all.filter(history => {
    const decision = history.status?.sync?.decision
    return decision !== 'Skipped' && decision !== 'Failed' && decision !== 'Paused' && isThere(cached, sources, history)
  })
  const first = chosen ?? candidates.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))[0]
  if (!first) return undefined
  const sync = first.status?.sync
  const state = chosen && sync?.canary ? sync.canary : 'Waiting'
  const source = sourceOf(sources, first)
  return {
    us: nameOf(first) === nameOf(us),
    name: first.spec.machineResourceReference.name,
    state,
    machine: source && sync?.since !== undefined ? machineSince(cached, source, first, sync.since) : 'None',
  }
}

/** A history may outlive what it describes for a moment: that one goes nowhere. */
const isThere = (cached: Cached, sources: readonly Source[], history: BootImageHistory): boolean => {
  const source = sourceOf(sources, history)
  const key = { name: history.spec.machineResourceReference.name, namespace: history.metadata.namespace ?? '' }
  return source !== undefined && cached.get(source.of, key) !== undefined
}

const nameOf = ({ metadata }: BootImageHistory): string => `${metadata.namespace}/${metadata.name}`

/** What became of the machines that this resource made since then. */
function machineSince(cached: Cached, source: Source, history: BootImageHistory, since: string): SeenCanary['machine'] {
  const { name } = history.spec.machineResourceReference
  const from = parseInstant(since) ?? 0
  const made = cached
    .list(source.machines, history.metadata.namespace)
    .filter(
      machine =>
        isOf(machine, source, name) && (parseInstant(machine.metadata.creationTimestamp ?? '') ?? 0) >= Math.floor(from / 1000) * 1000,
    )
  if (made.some(machine => reach(machine, 'status', 'phase') === 'Failed')) return 'Failed'
  return made.some(machine => reach(machine, 'status', 'phase') === 'Running' && reach(machine, 'status', 'nodeRef') !== undefined)
    ? 'Ready'
    : 'None'
}

const isOf = ({ metadata }: Foreign, { resource }: Source, name: string): boolean =>
  resource === 'machinedeployments'
    ? metadata.labels?.['cluster.x-k8s.io/deployment-name'] === name
    : (metadata.ownerReferences?.some(owner => owner.kind === 'MachineSet' && owner.name === name) ?? false)
