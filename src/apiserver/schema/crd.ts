import type { Cause } from '../../api/status.ts'
import { dns1035Label, dnsSubdomain } from '../../core/names.ts'
import type { KubeObject } from '../../core/object.ts'
import { invalid, notSupported, required } from './cause.ts'
import { type CrdVersion, checkVersion } from './crd-version.ts'

export { crdSchema } from './crd-schema.ts'

interface Names {
  readonly plural: string
  readonly kind: string
  readonly singular?: string
  readonly listKind?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
}

interface Spec {
  readonly group: string
  readonly scope: string
  readonly names: Names
  readonly versions: readonly CrdVersion[]
  readonly conversion?: { readonly strategy?: string }
  readonly preserveUnknownFields?: boolean
}

/** The rules of CustomResourceDefinitions beyond their schema, which has been checked before: types can be relied upon. */
export function validateCrd(crd: KubeObject, old: KubeObject | undefined): readonly Cause[] {
  const spec = crd['spec'] as Spec
  const causes: Cause[] = []
  checkNames(crd.metadata.name, spec, causes)
  checkVersions(spec, causes)
  if (spec.preserveUnknownFields === true) {
    causes.push(
      invalid('spec.preserveUnknownFields', true, 'must be false; set x-kubernetes-preserve-unknown-fields in the schema instead'),
    )
  }
  const strategy = spec.conversion?.strategy ?? 'None'
  if (strategy !== 'None') causes.push(notSupported('spec.conversion.strategy', strategy, ['None']))
  if (old) checkChange(spec, old, causes)
  return causes
}

function checkNames(name: string, { group, names, scope }: Spec, causes: Cause[]): void {
  const wrongGroup = dnsSubdomain(group) ?? (group.includes('.') ? undefined : 'should be a domain with at least one dot')
  if (wrongGroup) causes.push(invalid('spec.group', group, wrongGroup))
  if (name !== `${names.plural}.${group}`) causes.push(invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group'))
  if (scope !== 'Cluster' && scope !== 'Namespaced') causes.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']))

  const label = (field: string, value: string | undefined, read: (value: string) => string = plain => plain) => {
    const wrong = value === undefined ? undefined : dns1035Label(read(value))
    if (wrong) causes.push(invalid(`spec.names.${field}`, value, wrong))
  }
  const lower = (value: string) => value.toLowerCase()
  label('plural', names.plural)
  label('singular', names.singular || undefined)
  label('kind', names.kind, lower)
  label('listKind', names.listKind || undefined, lower)
  for (const [index, short] of (names.shortNames ?? []).entries()) label(`shortNames[${index}]`, short)
  for (const [index, category] of (names.categories ?? []).entries()) label(`categories[${index}]`, category)
  if (names.kind === names.listKind) causes.push(invalid('spec.names.listKind', names.listKind, 'kind and listKind may not be the same'))
}

function checkVersions({ versions }: Spec, causes: Cause[]): void {
  if (versions.length === 0) causes.push(required('spec.versions', 'must have exactly one version marked as storage version'))
  const seen = new Set<string>()
  versions.forEach((version, index) => {
    const field = `spec.versions[${index}]`
    const wrong = dns1035Label(version.name)
    if (wrong) causes.push(invalid(`${field}.name`, version.name, wrong))
    if (seen.has(version.name)) causes.push(invalid(`${field}.name`, version.name, 'must be unique'))
    seen.add(version.name)
    checkVersion(version, field, causes)
  })
  if (versions.length > 0 && versions.filter(version => version.storage).length !== 1) {
    causes.push(
      invalid(
        'spec.versions',
        versions.map(version => version.name),
        'must have exactly one version marked as storage version',
      ),
    )
  }
}

/** Objects are stored under these names; and in these versions, until a migration says otherwise. */
function checkChange(spec: Spec, old: KubeObject, causes: Cause[]): void {
  const before = old['spec'] as Spec
  const fixed = (field: string, now: unknown, then: unknown) => {
    if (now !== then) causes.push(invalid(`spec.${field}`, now, 'field is immutable'))
  }
  fixed('group', spec.group, before.group)
  fixed('scope', spec.scope, before.scope)
  fixed('names.plural', spec.names.plural, before.names.plural)
  fixed('names.kind', spec.names.kind, before.names.kind)
  const status = (old['status'] ?? {}) as { readonly storedVersions?: readonly string[] }
  status.storedVersions?.forEach((version, index) => {
    if (spec.versions.some(one => one.name === version)) return
    causes.push(
      invalid(
        `status.storedVersions[${index}]`,
        version,
        `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`,
      ),
    )
  })
}
