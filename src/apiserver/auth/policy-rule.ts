import { isObject } from '../../core/json.ts'
import type { Attributes } from '../../ports/index.ts'

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}

export const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/** True where the rule allows what is asked. */
export function allows(rule: PolicyRule, asked: Attributes): boolean {
  if (!has(rule.verbs, asked.verb)) return false
  if ('path' in asked) return rule.nonResourceURLs?.some(url => urlCovers(url, asked.path)) ?? false
  return (
    has(rule.apiGroups, asked.group) &&
    (rule.resources?.some(pattern => resourceCovers(pattern, asked.resource, asked.subresource)) ?? false) &&
    (!filled(rule.resourceNames) || (asked.name !== undefined && asked.name !== '' && rule.resourceNames.includes(asked.name)))
  )
}

// `pods`, `pods/log`, `*/scale` or `*`. A name alone never includes its subresources, only `*` does.
export function resourceCovers(pattern: string, resource: string, subresource: string | undefined): boolean {
  if (pattern === '*') return true
  if (!subresource) return pattern === resource
  return pattern === `${resource}/${subresource}` || pattern === `*/${subresource}`
}

export const urlCovers = (pattern: string, path: string): boolean =>
  pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.slice(0, -1)))

export const has = (list: readonly string[] | undefined, value: string): boolean =>
  list !== undefined && (list.includes('*') || list.includes(value))

export const filled = (list: readonly string[] | undefined): list is readonly string[] => list !== undefined && list.length > 0

/** Rules as they stand in an object. What is not a list of strings counts as absent: a malformed rule must never allow anything. */
export function rulesIn(value: unknown): readonly PolicyRule[] {
  if (!Array.isArray(value)) return []
  return value.filter(isObject).map(rule => {
    const part = (name: string) => {
      const list = rule[name]
      return Array.isArray(list) ? { [name]: list.filter((item): item is string => typeof item === 'string') } : {}
    }
    return { verbs: [], ...part('verbs'), ...part('apiGroups'), ...part('resources'), ...part('resourceNames'), ...part('nonResourceURLs') }
  })
}
