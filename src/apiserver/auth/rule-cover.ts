import { filled, has, type PolicyRule, resourceCovers, urlCovers } from './policy-rule.ts'

/** The parts of `wanted` that no rule of `held` contains, each as a rule of one verb on one thing. Nothing missing means: may be granted. */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(singles).filter(single => !held.some(rule => contains(rule, single)))
}

function singles(rule: PolicyRule): PolicyRule[] {
  return rule.verbs.flatMap(verb => [
    ...(rule.nonResourceURLs ?? []).map(url => ({ verbs: [verb], nonResourceURLs: [url] })),
    ...(rule.apiGroups ?? []).flatMap(group =>
      (rule.resources ?? []).flatMap(resource =>
        filled(rule.resourceNames)
          ? rule.resourceNames.map(name => ({ verbs: [verb], apiGroups: [group], resources: [resource], resourceNames: [name] }))
          : [{ verbs: [verb], apiGroups: [group], resources: [resource] }],
      ),
    ),
  ])
}

function contains(rule: PolicyRule, single: PolicyRule): boolean {
  const [verb = ''] = single.verbs
  if (!has(rule.verbs, verb)) return false
  const url = single.nonResourceURLs?.[0]
  // A pattern is compared as text: `/api/*` is contained in `/ap*`, and only a pattern that ends in a star contains another.
  if (url !== undefined) return rule.nonResourceURLs?.some(pattern => urlCovers(pattern, url)) ?? false
  const [group = ''] = single.apiGroups ?? []
  const [resource = '', ...sub] = (single.resources?.[0] ?? '').split('/')
  const name = single.resourceNames?.[0]
  return (
    has(rule.apiGroups, group) &&
    (rule.resources?.some(pattern => pattern === single.resources?.[0] || resourceCovers(pattern, resource, sub.join('/') || undefined)) ??
      false) &&
    (!filled(rule.resourceNames) || (name !== undefined && rule.resourceNames.includes(name)))
  )
}

/** `get, list secrets, configmaps of ""` for people. */
export function printRule(rule: PolicyRule): string {
  const verbs = rule.verbs.join(', ')
  if (rule.nonResourceURLs) return `${verbs} on ${rule.nonResourceURLs.join(', ')}`
  const groups = (rule.apiGroups ?? []).map(group => `"${group}"`).join(', ')
  const names = filled(rule.resourceNames) ? ` named ${rule.resourceNames.join(', ')}` : ''
  return `${verbs} on ${(rule.resources ?? []).join(', ')} in API group ${groups}${names}`
}
