import type { Cause } from '../../api/status.ts'
import { isObject, sameJson } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Resource } from '../resource.ts'
import { builtin } from './kinds.ts'

const group = 'rbac.authorization.k8s.io'
const version = 'v1'

export const rbacKinds = (): readonly Resource[] => [
  builtin({ group, version, kind: 'Role', plural: 'roles', namespaced: true, validate: ruleRules }),
  builtin({ group, version, kind: 'ClusterRole', plural: 'clusterroles', namespaced: false, validate: ruleRules }),
  builtin({
    group,
    version,
    kind: 'RoleBinding',
    plural: 'rolebindings',
    namespaced: true,
    prepare: prepareBinding,
    validate: bindingRules,
  }),
  builtin({
    group,
    version,
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
    prepare: prepareBinding,
    validate: bindingRules,
  }),
]

const items = (value: unknown): readonly Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : [])
const filled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

function ruleRules(object: KubeObject): Cause[] {
  return items(object['rules']).flatMap((rule, i) => {
    const causes: Cause[] = []
    const at = `rules[${i}]`
    if (!filled(rule['verbs'])) causes.push(required(`${at}.verbs`, 'verbs must contain at least one value'))
    if (filled(rule['nonResourceURLs'])) {
      if (object.kind === 'Role')
        causes.push({
          reason: 'FieldValueInvalid',
          message: 'Invalid value: namespaced rules cannot apply to non-resource URLs',
          field: `${at}.nonResourceURLs`,
        })
      if (filled(rule['resources']) || filled(rule['apiGroups']))
        causes.push({
          reason: 'FieldValueInvalid',
          message: 'Invalid value: rules cannot apply to both regular resources and non-resource URLs',
          field: `${at}.nonResourceURLs`,
        })
      return causes
    }
    if (!filled(rule['apiGroups'])) causes.push(required(`${at}.apiGroups`, 'resource rules must supply at least one api group'))
    if (!filled(rule['resources'])) causes.push(required(`${at}.resources`, 'resource rules must supply at least one resource'))
    return causes
  })
}

const kindsOfRole = (object: KubeObject): readonly string[] => (object.kind === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole'])

/** Fills in the groups that Kubernetes leaves to its defaults, so that comparisons are between whole references. */
function prepareBinding(object: KubeObject): KubeObject {
  const ref = isObject(object['roleRef']) ? { ...object['roleRef'], apiGroup: object['roleRef']['apiGroup'] || group } : object['roleRef']
  const subjects = Array.isArray(object['subjects'])
    ? object['subjects'].map(s => (isObject(s) && s['kind'] !== 'ServiceAccount' ? { ...s, apiGroup: s['apiGroup'] || group } : s))
    : object['subjects']
  return { ...object, roleRef: ref, ...(subjects === undefined ? {} : { subjects }) }
}

function bindingRules(object: KubeObject, old: KubeObject | undefined): Cause[] {
  const causes: Cause[] = []
  const ref = isObject(object['roleRef']) ? object['roleRef'] : {}
  if (!kindsOfRole(object).includes(String(ref['kind']))) {
    causes.push({
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(ref['kind'])}: supported values: ${kindsOfRole(object)
        .map(k => `"${k}"`)
        .join(', ')}`,
      field: 'roleRef.kind',
    })
  }
  if (!ref['name']) causes.push(required('roleRef.name', ''))
  // A binding that could be turned to another role would let its editor skip the check of what may be granted.
  if (old && !sameJson(old['roleRef'], object['roleRef'])) {
    causes.push({ reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(ref)}: cannot change roleRef`, field: 'roleRef' })
  }
  items(object['subjects']).forEach((subject, i) => {
    if (!subject['name']) causes.push(required(`subjects[${i}].name`, ''))
    if (subject['kind'] === 'ServiceAccount') {
      if (!subject['namespace']) causes.push(required(`subjects[${i}].namespace`, ''))
    } else if (subject['kind'] !== 'User' && subject['kind'] !== 'Group') {
      causes.push({
        reason: 'FieldValueNotSupported',
        message: `Unsupported value: ${JSON.stringify(subject['kind'])}: supported values: "ServiceAccount", "User", "Group"`,
        field: `subjects[${i}].kind`,
      })
    }
  })
  return causes
}

const required = (field: string, why: string): Cause => ({
  reason: 'FieldValueRequired',
  message: why === '' ? 'Required value' : `Required value: ${why}`,
  field,
})
