import { completedBy, isSame } from '../../../policy/readiness/rule.ts'
import type { ControllerKube } from '../../../ports/index.ts'
import { type ServerReadinessRule, servers } from '../resources.ts'
import type { Verb } from './decide.ts'

type Mark = Extract<Verb, { readonly do: 'mark' }>

/** One write: what others say about the server in the meantime is not lost, its resourceVersion sees to that. */
export async function mark(
  kube: ControllerKube,
  { metadata, spec }: ServerReadinessRule,
  { server, what }: Mark,
  signal: AbortSignal,
): Promise<void> {
  const found = kube.cached.get(servers, { name: server })
  if (!found) return
  const { resourceVersion } = found.metadata
  const others = (found.spec.taints ?? []).filter(taint => !isSame(taint, spec.taint))
  const taints = what === 'taint' ? [...others, spec.taint] : others
  const noted = what === 'untaint for good' || what === 'note that it was ready'
  const annotations = noted ? { annotations: { [completedBy(metadata.name)]: 'true' } } : {}
  const wish = what === 'note that it was ready' ? {} : { spec: { taints } }
  await kube.patch(servers, { name: server }, { merge: { metadata: { resourceVersion, ...annotations }, ...wish } }, { signal })
}
