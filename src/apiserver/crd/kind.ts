import type { Cause } from '../../api/status.ts'
import { printInstant } from '../../core/instant.ts'
import { isObject, sameJson } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Clock } from '../../ports/index.ts'
import { allVerbs, statusOf } from '../builtin/kinds.ts'
import type { Registry } from '../registry.ts'
import { qualified, type Resource } from '../resource.ts'
import { crdSchema, validateCrd } from '../schema/crd.ts'
import { type CrdNames, crdSpec } from './resources.ts'

export const cleanup = 'customresourcecleanup.apiextensions.k8s.io'

/** CustomResourceDefinition itself. Names are accepted or refused when it is written, so a CRD can be used as soon as its create is answered. */
export function crdKind(registry: () => Registry, clock: Clock): Resource {
  return {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    singular: 'customresourcedefinition',
    listKind: 'CustomResourceDefinitionList',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    namespaced: false,
    verbs: allVerbs,
    subresources: [statusOf('CustomResourceDefinition')],
    schema: crdSchema,
    columns: [{ name: 'Created At', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    hasStatus: true,
    hasGeneration: true,
    prepare: (crd, old) => prepare(crd, old, registry(), printInstant(clock.now())),
    validate: validateCrd as (crd: KubeObject, old: KubeObject | undefined) => readonly Cause[],
  }
}

function prepare(crd: KubeObject, old: KubeObject | undefined, registry: Registry, now: string): KubeObject {
  const spec = isObject(crd['spec']) ? crd['spec'] : undefined
  const names = isObject(spec?.['names']) ? spec['names'] : undefined
  if (!spec || !names || typeof names['kind'] !== 'string' || !Array.isArray(spec['versions'])) return crd
  const finalizers = crd.metadata.finalizers ?? []
  const full = {
    ...crd,
    metadata: old ? crd.metadata : { ...crd.metadata, finalizers: [...finalizers.filter(f => f !== cleanup), cleanup] },
    spec: {
      ...spec,
      conversion: spec['conversion'] ?? { strategy: 'None' },
      names: {
        ...names,
        singular: names['singular'] || names['kind'].toLowerCase(),
        listKind: names['listKind'] || `${names['kind']}List`,
      },
    },
  }
  return { ...full, status: statusFor(full, old, registry, now) }
}

function statusFor(crd: KubeObject, old: KubeObject | undefined, registry: Registry, now: string): Record<string, unknown> {
  const before = isObject(old?.['status']) ? old['status'] : {}
  const kept = isObject(crd['status']) ? crd['status'] : {}
  const rival = rivalOf(crd, registry)
  const conditions = Array.isArray(kept['conditions']) ? kept['conditions'].filter(isObject) : []
  const others = conditions.filter(c => c['type'] !== 'NamesAccepted' && c['type'] !== 'Established')
  const condition = (type: string, good: boolean, reason: string, message: string): unknown => {
    const known = conditions.find(c => c['type'] === type)
    const status = good ? 'True' : 'False'
    return known?.['status'] === status && known['reason'] === reason ? known : { type, status, lastTransitionTime: now, reason, message }
  }
  const { versions, names } = crdSpec(crd)
  const storage = versions.find(v => v.storage)?.name
  const stored = Array.isArray(before['storedVersions']) ? (before['storedVersions'] as readonly string[]) : []
  const ok = rival === undefined
  return {
    ...kept,
    acceptedNames: ok ? names : isObject(before['acceptedNames']) ? before['acceptedNames'] : { plural: '', kind: '' },
    conditions: [
      ...others,
      condition(
        'NamesAccepted',
        ok,
        ok ? 'NoConflicts' : 'NamesConflict',
        ok ? 'no conflicts found' : `"${rival}" already serves one of these names in this group`,
      ),
      condition(
        'Established',
        ok,
        ok ? 'InitialNamesAccepted' : 'NotAccepted',
        ok ? 'the initial names have been accepted' : 'not all names are accepted',
      ),
    ],
    storedVersions: storage === undefined || stored.includes(storage) ? stored : [...stored, storage],
  }
}

/** Another resource of the same group that already answers to one of these names. */
function rivalOf(crd: KubeObject, registry: Registry): string | undefined {
  const { group, names } = crdSpec(crd)
  const wanted = allNames(names)
  const rival = registry.all().find(r => {
    if (r.group !== group || qualified(r) === crd.metadata.name) return false
    return r.kind === names.kind || r.listKind === names.listKind || allNames(r).some(name => wanted.includes(name))
  })
  return rival && qualified(rival)
}

const allNames = (names: Pick<CrdNames, 'plural' | 'singular' | 'shortNames'>): readonly string[] => [
  names.plural,
  ...(names.singular ? [names.singular] : []),
  ...(names.shortNames ?? []),
]

export const sameSchema = (a: KubeObject, b: KubeObject): boolean => sameJson(a['spec'], b['spec'])
