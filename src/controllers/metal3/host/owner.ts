import type { ObjectMeta } from '../../../core/object.ts'
import type { Cached } from '../../../ports/index.ts'
import { machineKeys } from '../indexes.ts'
import { type BareMetalHost, hosts, servers } from '../resources.ts'

/** Who else has this machine and was there first, as a host or as a server. One machine has one owner. */
export function ownerOf(cached: Cached, host: BareMetalHost): string | undefined {
  const keys = machineKeys(host)
  const rivals = keys.flatMap(key => [
    ...cached.by(hosts, 'machine', key).map(({ metadata }) => ({ metadata, who: `BareMetalHost ${metadata.namespace}/${metadata.name}` })),
    ...cached.by(servers, 'machine', key).map(({ metadata }) => ({ metadata, who: `Server ${metadata.name}` })),
  ])
  return rivals.find(({ metadata }) => metadata.uid !== host.metadata.uid && isOlder(metadata, host.metadata))?.who
}

function isOlder(one: ObjectMeta, other: ObjectMeta): boolean {
  const [a, b] = [one.creationTimestamp ?? '', other.creationTimestamp ?? '']
  return a === b ? (one.uid ?? '') < (other.uid ?? '') : a < b
}
