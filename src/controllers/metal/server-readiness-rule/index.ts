import { dueOf, holdsBack } from '../../../policy/readiness/rule.ts'
import {
  type ControllerKube,
  type Grant,
  granting,
  holding,
  keepingStatus,
  type Reconciler,
  watching,
  wokenBy,
} from '../../../ports/index.ts'
import { readinessRules, type ServerReadinessRule, servers } from '../resources.ts'
import { decide, type Seen, type Verb } from './decide.ts'
import { mark } from './mark.ts'
import { judgedOf, ruleOf } from './rule-of.ts'

export const serverReadinessRuleGrants: readonly Grant[] = [
  watching(readinessRules),
  watching(servers),
  keepingStatus(readinessRules),
  holding(readinessRules),
  granting(servers, ['patch'], 'puts the taint of a rule on servers that are not ready, by their resourceVersion'),
]

/** Conditions of servers become taints. */
export const serverReadinessRuleController = (kube: ControllerKube): Reconciler<ServerReadinessRule, Seen, Verb> => ({
  name: 'server-readiness-rule',
  kind: readinessRules,
  finalizer: 'readiness.metal.ironcore.dev/cleanup-taints',
  watches: [
    wokenBy(readinessRules, (_, own) => own().map(({ metadata }) => ({ name: metadata.name }))),
    // Of ten thousand servers most are as they should be: those wake nobody. One that goes is not counted any more.
    wokenBy(servers, (server, own) => {
      const judged = judgedOf(server)
      const all = (own() as readonly ServerReadinessRule[]).map(ruleOf)
      const goes = server.metadata.deletionTimestamp !== undefined
      return all.filter(rule => dueOf(rule, all, judged) || (goes && holdsBack(rule, judged))).map(({ name }) => ({ name }))
    }),
  ],
  async observe(object) {
    const all = kube.cached.list(readinessRules).map(ruleOf)
    const rule = ruleOf(object)
    const judged = kube.cached
      .list(servers)
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(server => ({ name: server.metadata.name, ...judgedOf(server) }))
    return {
      name: rule.name,
      deleting: rule.going,
      taint: rule.taint.key,
      notReady: judged.filter(server => holdsBack(rule, server)).length,
      due: judged.flatMap(server => {
        const what = dueOf(rule, all, server)
        return what === undefined ? [] : [{ server: server.name, what }]
      }),
    }
  },
  decide,
  perform: { mark: { run: (action, { object, signal }) => mark(kube, object, action, signal) } },
})
