import { ApiError } from '../../api/status.ts'
import { sameJson } from '../../core/json.ts'
import { aggregated } from '../auth/rbac-index.ts'
import type { Api } from '../call.ts'
import { commit } from '../verbs/commit.ts'
import { type Chores, ifGone } from './chores.ts'

const roles = 'rbac.authorization.k8s.io/clusterroles'

/** Writes into aggregated ClusterRoles the rules they gather, so that people see what `admin` and `edit` allow. Decisions do not wait for it. */
export function keepAggregates(api: Api, chores: Chores): () => void {
  const look = (): void => chores.do('aggregated roles', () => gather(api))
  look()
  return api.world.observe(changes => {
    if (changes.some(change => change.entry.resource === roles)) look()
  })
}

async function gather(api: Api): Promise<void> {
  for (const { key, object } of api.world.list(roles)) {
    if (object['aggregationRule'] === undefined) continue
    await commit(api, roles, key, false, current => {
      if (current === undefined) throw new ApiError('NotFound', `ClusterRole ${key} is gone`)
      const rules = aggregated(
        current.object,
        api.world.list(roles).map(entry => entry.object),
      )
      return sameJson(rules, current.object['rules'] ?? []) ? { keep: current } : { put: { ...current.object, rules } }
    }).catch(ifGone)
  }
}
