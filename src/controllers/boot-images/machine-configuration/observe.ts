import { conditionOf } from '../../../core/condition.ts'
import { type ControlPlane, controlPlaneEvidence } from '../../../policy/boot-images/evidence.ts'
import { gatesOf } from '../../../policy/boot-images/gates.ts'
import { platformOf } from '../../../policy/boot-images/platforms/index.ts'
import { reach, text } from '../../../policy/boot-images/reach.ts'
import { isEnrolled } from '../../../policy/boot-images/selection.ts'
import type { readStream } from '../../../policy/boot-images/stream.ts'
import type { Cached, Look } from '../../../ports/index.ts'
import { clusterFacts } from '../cluster.ts'
import type { HistoryPorts } from '../history/observe.ts'
import {
  type BootImageHistory,
  clusterOperators,
  controlPlaneNodes,
  goldenKey,
  goldenMaps,
  histories,
  historyNameOf,
  type MachineConfiguration,
  machineConfigPools,
  type Source,
} from '../resources.ts'
import type { Seen, SeenHistory, SeenResource } from './decide.ts'
import { staleStubs } from './stubs.ts'

export async function observe({ kube, settings, sources, read }: HistoryPorts, object: MachineConfiguration, look: Look): Promise<Seen> {
  const { cached } = kube
  const facts = clusterFacts(cached, settings, read)
  const managers = object.spec.managedBootImages?.machineManagers
  const parts = sources.map(source => ({ source, objects: cached.list(source.of).filter(one => enrolled(managers, source, one)) }))
  const fresh: SeenResource[] = []
  const kinds = parts.map(({ source, objects }) => ({
    title: `${source.api.toUpperCase()} ${source.resource === 'machinesets' ? 'MachineSets' : 'MachineDeployments'}`,
    histories: objects.flatMap(one => {
      const { name, namespace = '', uid = '' } = one.metadata
      const key = { name: historyNameOf(name, source), namespace }
      const history = cached.get(histories, key)
      if (history) return [historySeen(history, name)]
      fresh.push({
        history: key.name,
        namespace,
        name,
        apiVersion: one.apiVersion,
        kind: one.kind,
        uid,
        resource: source.resource,
        apiGroup: source.of.group,
      })
      return []
    }),
  }))
  return {
    name: object.metadata.name,
    gates: gatesOf(facts, read),
    unsupported: managers !== undefined && facts.platform !== undefined && platformOf(facts.platform) === undefined,
    fresh,
    enrolled: kinds.filter(({ histories }) => histories.length > 0),
    managers,
    stamp: stampSeen(cached, read, facts.version, facts.golden?.stampedFor, look),
    // Only where something is opted in: nobody else asked for it.
    staleStubs: kinds.some(({ histories }) => histories.length > 0) ? staleStubs(cached) : [],
    threshold: settings.threshold,
    stampOverdue: settings.stampOverdue,
    emptySelectors: (managers ?? []).filter(isEmptyPartial).map(({ resource, apiGroup }) => `${resource}.${apiGroup}`),
  }
}

const enrolled = (
  managers: Parameters<typeof isEnrolled>[0],
  source: Source,
  { metadata }: { metadata: { labels?: Readonly<Record<string, string>> } },
): boolean => isEnrolled(managers, { resource: source.resource, apiGroup: source.of.group, labels: metadata.labels ?? {} })

const historySeen = (history: BootImageHistory, name: string): SeenHistory => ({
  name,
  decision: history.status?.sync?.decision,
  because: conditionOf(history.status, 'Synced')?.message ?? '',
  failures: history.status?.sync?.failures ?? 0,
  failingSince: history.status?.sync?.failingSince,
})

function stampSeen(
  cached: Cached,
  reader: typeof readStream,
  version: string | undefined,
  stampedFor: string | undefined,
  look: Look,
): Seen['stamp'] {
  const golden = cached.get(goldenMaps, goldenKey)
  // Where a machine-config operator runs, it stamps; never over it.
  if (!golden || version === undefined || stampedFor === version || cached.get(clusterOperators, { name: 'machine-config' }))
    return undefined
  const read = reader(golden.data?.['stream'])
  if (!('stream' in read)) return undefined
  return {
    evidence: controlPlaneEvidence(controlPlane(cached), read.stream),
    version,
    content: read.content,
    unstampedFor: look.lasting(`unstamped ${version} ${read.content}`),
  }
}

function controlPlane(cached: Cached): ControlPlane {
  const pool = cached.get(machineConfigPools, { name: 'master' })
  const conditions = reach(pool, 'status', 'conditions')
  const updating = Array.isArray(conditions) && conditions.some(c => reach(c, 'type') === 'Updating' && reach(c, 'status') === 'True')
  const nodes = cached.list(controlPlaneNodes)
  return {
    pool: pool && {
      wanted: text(reach(pool, 'spec', 'configuration', 'name')) ?? '',
      current: text(reach(pool, 'status', 'configuration', 'name')) ?? 'unknown',
      updated: Number(reach(pool, 'status', 'updatedMachineCount') ?? 0),
      updating,
    },
    readySystems: nodes
      .filter(({ status }) => status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'))
      .flatMap(({ status }) => status?.nodeInfo?.osImage ?? []),
  }
}

const isEmptyPartial = ({
  selection,
}: {
  selection: { mode: string; partial?: { machineResourceSelector: object } | undefined }
}): boolean =>
  selection.mode === 'Partial' &&
  Object.values(selection.partial?.machineResourceSelector ?? {}).every(part => Object.keys(part as object).length === 0)
