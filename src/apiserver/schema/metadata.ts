import type { Cause } from '../../api/status.ts'
import { dnsLabel, dnsSubdomain, labelValue, type NameRule, pathSegment, qualifiedName } from '../../core/names.ts'
import type { KubeObject, ObjectMeta, OwnerReference } from '../../core/object.ts'
import type { Resource } from '../resource.ts'
import { forbidden, invalid, required, tooLong } from './cause.ts'

const annotationBytes = 256 * 1024

type Named = Pick<Resource, 'group' | 'kind' | 'namespaced'>

/** The names a kind takes. Most take DNS subdomains; namespaces become part of host names, roles are never part of one. */
export function nameRule(resource: Pick<Resource, 'group' | 'kind'>): NameRule {
  if (resource.group === 'rbac.authorization.k8s.io') return pathSegment
  if (resource.group === '' && resource.kind === 'Namespace') return dnsLabel
  return dnsSubdomain
}

/** Rules of metadata that every kind shares. Types were checked before (object-meta.ts); where they are wrong nothing more is said here. */
export function checkMetadata(resource: Named, object: KubeObject, old: KubeObject | undefined): readonly Cause[] {
  const { metadata } = object
  const causes: Cause[] = []
  checkName(resource, metadata, causes)
  checkNamespace(resource, metadata, causes)
  checkLabels(metadata.labels, 'metadata.labels', causes)
  checkAnnotations(metadata.annotations, causes)
  checkFinalizers(metadata.finalizers, causes)
  checkOwners(metadata.ownerReferences, causes)
  if (old) checkUnchanged(metadata, old.metadata, causes)
  return causes
}

function checkName(resource: Named, metadata: ObjectMeta, causes: Cause[]): void {
  const rule = nameRule(resource)
  const { name, generateName } = metadata
  if (isText(generateName) && generateName !== '') {
    // A generated suffix follows, so that a dash at the end is fine.
    const wrong = rule(generateName.endsWith('-') ? `${generateName.slice(0, -1)}a` : generateName)
    if (wrong) causes.push(invalid('metadata.generateName', generateName, wrong))
  }
  if (!isText(name)) return
  if (name === '') {
    causes.push(required('metadata.name', 'name or generateName is required'))
    return
  }
  const wrong = rule(name)
  if (wrong) causes.push(invalid('metadata.name', name, wrong))
}

function checkNamespace(resource: Named, { namespace }: ObjectMeta, causes: Cause[]): void {
  const given = isText(namespace) && namespace !== ''
  if (!resource.namespaced) {
    if (given) causes.push(forbidden('metadata.namespace', 'not allowed on this type'))
    return
  }
  if (!given) {
    causes.push(required('metadata.namespace'))
    return
  }
  const wrong = dnsLabel(namespace)
  if (wrong) causes.push(invalid('metadata.namespace', namespace, wrong))
}

export function checkLabels(labels: unknown, field: string, causes: Cause[]): void {
  for (const [key, value] of texts(labels)) {
    const wrongKey = qualifiedName(key)
    if (wrongKey) causes.push(invalid(field, key, wrongKey))
    const wrongValue = labelValue(value)
    if (wrongValue) causes.push(invalid(field, value, wrongValue))
  }
}

function checkAnnotations(annotations: unknown, causes: Cause[]): void {
  let size = 0
  for (const [key, value] of texts(annotations)) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value)
    // Keys may be in upper case here, for the sake of old users.
    const wrong = qualifiedName(key.toLowerCase())
    if (wrong) causes.push(invalid('metadata.annotations', key, wrong))
  }
  if (size > annotationBytes) causes.push(tooLong('metadata.annotations', annotationBytes))
}

function checkFinalizers(finalizers: readonly string[] | undefined, causes: Cause[]): void {
  if (!Array.isArray(finalizers)) return
  for (const finalizer of finalizers) {
    const wrong = isText(finalizer) ? qualifiedName(finalizer) : undefined
    if (wrong) causes.push(invalid('metadata.finalizers', finalizer, wrong))
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    causes.push(invalid('metadata.finalizers', finalizers, 'finalizers orphan and foregroundDeletion cannot be both set'))
  }
}

function checkOwners(owners: readonly OwnerReference[] | undefined, causes: Cause[]): void {
  if (!Array.isArray(owners)) return
  const controllers: string[] = []
  for (const owner of owners as readonly Partial<OwnerReference>[]) {
    for (const part of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if (!owner?.[part]) causes.push(invalid(`metadata.ownerReferences.${part}`, owner?.[part] ?? '', 'must not be empty'))
    }
    if (owner?.apiVersion === 'v1' && owner.kind === 'Event') {
      causes.push(invalid('metadata.ownerReferences', `${owner.apiVersion}, Kind=${owner.kind}`, 'is disallowed from being an owner'))
    }
    if (owner?.controller === true) controllers.push(String(owner.name))
  }
  if (controllers.length > 1) {
    causes.push(
      invalid(
        'metadata.ownerReferences',
        controllers,
        `Only one reference can have Controller set to true. Found "true" in references for ${controllers.join(' and ')}`,
      ),
    )
  }
}

const fixed = ['name', 'namespace', 'uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const

function checkUnchanged(metadata: ObjectMeta, old: ObjectMeta, causes: Cause[]): void {
  for (const field of fixed) {
    if ((metadata[field] ?? '') !== (old[field] ?? ''))
      causes.push(invalid(`metadata.${field}`, metadata[field] ?? '', 'field is immutable'))
  }
  if ((metadata.generation ?? 0) < (old.generation ?? 0))
    causes.push(invalid('metadata.generation', metadata.generation ?? 0, 'must not be decremented'))
  if (old.deletionTimestamp === undefined) return
  const added = (metadata.finalizers ?? []).filter(finalizer => !old.finalizers?.includes(finalizer))
  if (added.length > 0) {
    causes.push(
      forbidden(
        'metadata.finalizers',
        `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`,
      ),
    )
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The entries of a map of texts; others were complained about already. */
function texts(value: unknown): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).filter((entry): entry is [string, string] => isText(entry[1]))
}
