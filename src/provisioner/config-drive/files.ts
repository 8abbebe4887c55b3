import { parse } from 'yaml'
import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'
import type { HostOrder, HostPapers } from '../../ports/provisioner.ts'

/** What a config drive says: the facts that Metal3 always tells, overridden by the host's own, and what its Secrets hold. */
export interface DriveContent {
  readonly meta_data: Readonly<Record<string, unknown>>
  readonly user_data?: string
  readonly network_data?: Readonly<Record<string, unknown>>
}

export function driveContent({ uid, namespace, name }: Pick<HostOrder, 'uid' | 'namespace' | 'name'>, papers: HostPapers): DriveContent {
  const facts = { uuid: uid, 'metal3-namespace': namespace, 'metal3-name': name, 'local-hostname': name, local_hostname: name, name }
  const network = papers.networkData === undefined ? undefined : read('networkData', papers.networkData)
  return {
    meta_data: { ...facts, ...(papers.metaData === undefined ? {} : read('metaData', papers.metaData)) },
    ...(papers.userData === undefined ? {} : { user_data: papers.userData }),
    ...(network === undefined ? {} : { network_data: network }),
  }
}

/** JSON is YAML, too. What stands in it is not told: it may be secret. */
function read(what: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = parse(text)
    if (isObject(found)) return found
  } catch {}
  throw new Fault(
    'provisioner/unreadable',
    `Cannot make the config drive: ${what} is neither a JSON object nor YAML with fields`,
    'when-changed',
  )
}
