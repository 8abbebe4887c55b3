import { isObject } from '../../core/json.ts'
import type { ClusterFacts } from '../../policy/boot-images/gates.ts'
import { reach, text } from '../../policy/boot-images/reach.ts'
import type { readStream } from '../../policy/boot-images/stream.ts'
import type { Cached } from '../../ports/index.ts'
import { clusterOperators, clusterVersions, type Data, featureGates, goldenKey, goldenMaps, infrastructures } from './resources.ts'
import type { BootImageSettings } from './settings.ts'

/** Set beside the stream when it is stamped: which content that was, and how many different ones there have been. */
export const stampedHash = 'rackwright.dev/stamped-stream'
export const stampedGeneration = 'rackwright.dev/stream-generation'

/** What the cluster says about itself, from the caches. */
export function clusterFacts(cached: Cached, settings: BootImageSettings, read: typeof readStream): ClusterFacts {
  const infrastructure = cached.get(infrastructures, { name: 'cluster' })
  const version = cached.get(clusterVersions, { name: 'version' })
  const latest = reach(version, 'status', 'history', 0)
  const golden = cached.get(goldenMaps, goldenKey)
  const other = cached.get(clusterOperators, { name: 'machine-config' }) !== undefined
  return {
    feature: featureOf(cached) ?? settings.feature,
    keptByOther: other && !settings.takeOver,
    externalControlPlane: reach(infrastructure, 'status', 'controlPlaneTopology') === 'External',
    platform: text(reach(infrastructure, 'status', 'platformStatus', 'type')) ?? text(reach(infrastructure, 'status', 'platform')),
    version: (version ? text(reach(latest, 'version')) : undefined) ?? settings.version,
    stable: version === undefined || reach(latest, 'state') === 'Completed',
    golden: golden && {
      stream: golden.data?.['stream'],
      stampedFor: stampOf(golden, other, read),
      generation: Number(golden.metadata.annotations?.[stampedGeneration] ?? 1),
    },
  }
}

/** For which version the golden ConfigMap was stamped. A stamp of ours is for one content: another content needs another. */
function stampOf(golden: Data, stampedByOther: boolean, read: typeof readStream): string | undefined {
  const version = text(golden.data?.['MCOReleaseImageVersion'])
  if (stampedByOther) return version
  return golden.metadata.annotations?.[stampedHash] === read(golden.data?.['stream']).content ? version : undefined
}

/** Whether the cluster's own feature gate is on; undefined where the cluster has none. */
function featureOf(cached: Cached): boolean | undefined {
  const gate = cached.get(featureGates, { name: 'cluster' })
  if (!gate) return undefined
  const versions = reach(gate, 'status', 'featureGates')
  const lists = Array.isArray(versions) ? versions : []
  const names = (which: 'enabled' | 'disabled'): readonly unknown[] =>
    [...lists.map(list => reach(list, which)), reach(gate, 'spec', 'customNoUpgrade', which)].flatMap(list =>
      Array.isArray(list) ? list : [],
    )
  const has = (which: 'enabled' | 'disabled') =>
    names(which).some(one => one === 'ManagedBootImages' || (isObject(one) && one['name'] === 'ManagedBootImages'))
  if (has('disabled')) return false
  return has('enabled') || reach(gate, 'spec', 'featureSet') === 'TechPreviewNoUpgrade'
}
