import { ApiError, type Cause } from '../../api/status.ts'
import { printInstant } from '../../core/instant.ts'
import { isObject, sameJson } from '../../core/json.ts'
import type { KubeObject, ObjectMeta } from '../../core/object.ts'
import type { Api, Call } from '../call.ts'
import { conflict } from '../registry.ts'
import { apiVersionOf, qualified, type Resource } from '../resource.ts'
import { checkMetadata } from '../schema/metadata.ts'
import type { FieldValidation } from './body.ts'

/** Turns what a client sent into what may be stored, or refuses it with every field that is wrong. */
export interface Admission {
  readonly object: KubeObject
  readonly warnings: readonly string[]
}

export function admitCreate(api: Api, call: Call, input: KubeObject, fields: FieldValidation): Admission {
  const { resource, info } = call
  const sent = input.metadata
  const metadata: ObjectMeta = clean({
    ...sent,
    name: sent.name,
    namespace: resource.namespaced ? info.namespace : undefined,
    uid: api.ids.uid(),
    creationTimestamp: printInstant(api.clock.now()),
    generation: resource.hasGeneration ? 1 : undefined,
    resourceVersion: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    managedFields: undefined,
    selfLink: undefined,
  })
  const { status, ...rest } = input
  const kept = resource.hasStatus ? rest : input
  return check(api, call, { ...kept, metadata } as KubeObject, undefined, fields)
}

export function admitUpdate(api: Api, call: Call, input: KubeObject, old: KubeObject, fields: FieldValidation): Admission {
  const { resource, info } = call
  const sent = input.metadata
  if (sent.uid !== undefined && sent.uid !== '' && sent.uid !== old.metadata.uid) {
    throw conflict(
      resource,
      old.metadata.name,
      `Precondition failed: UID in precondition: ${sent.uid}, UID in object meta: ${old.metadata.uid}`,
    )
  }
  if (
    sent.resourceVersion !== undefined &&
    sent.resourceVersion !== '' &&
    sent.resourceVersion !== '0' &&
    sent.resourceVersion !== old.metadata.resourceVersion
  ) {
    throw conflict(
      resource,
      old.metadata.name,
      'the object has been modified; please apply your changes to the latest version and try again',
    )
  }
  const merged = mergedBy(call, input, old)
  const base = info.subresource === undefined ? sent : old.metadata
  const metadata: ObjectMeta = clean({
    ...base,
    name: old.metadata.name,
    namespace: old.metadata.namespace,
    uid: old.metadata.uid,
    creationTimestamp: old.metadata.creationTimestamp,
    deletionTimestamp: old.metadata.deletionTimestamp,
    deletionGracePeriodSeconds: old.metadata.deletionGracePeriodSeconds,
    generation: old.metadata.generation,
    resourceVersion: old.metadata.resourceVersion,
    managedFields: undefined,
    selfLink: undefined,
  })
  const checked = check(api, call, { ...merged, metadata }, old, fields)
  const generation = old.metadata.generation
  if (generation === undefined || !desiredChanged(resource, checked.object, old)) return checked
  return { ...checked, object: { ...checked.object, metadata: { ...checked.object.metadata, generation: generation + 1 } } }
}

function check(api: Api, call: Call, object: KubeObject, old: KubeObject | undefined, fields: FieldValidation): Admission {
  const { resource, user } = call
  const prepared = call.info.subresource === undefined ? (resource.prepare?.(object, old) ?? object) : object
  const result = api.schemas.of(resource).check(prepared)
  const unknown = [...fields.duplicates.map(path => `duplicate field "${path}"`), ...result.unknown.map(path => `unknown field "${path}"`)]
  if (unknown.length > 0 && fields.mode === 'Strict') {
    throw new ApiError(
      'BadRequest',
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: strict decoding error: ${unknown.join(', ')}`,
    )
  }
  const causes = [...checkMetadata(resource, result.object, old), ...result.causes]
  if (causes.length === 0) causes.push(...(resource.validate?.(result.object, old) ?? []))
  if (causes.length > 0) throw invalid(resource, object.metadata.name || object.metadata.generateName || '', causes)
  api.guard(user, resource, result.object, old)
  return { object: result.object, warnings: fields.mode === 'Warn' ? unknown : [] }
}

export function invalid(resource: Resource, name: string, causes: readonly Cause[]): ApiError {
  const words = causes.map(cause => (cause.field ? `${cause.field}: ${cause.message}` : cause.message))
  const text = words.length === 1 ? words[0] : `[${words.join(', ')}]`
  return new ApiError('Invalid', `${resource.kind}${resource.group ? `.${resource.group}` : ''} "${name}" is invalid: ${text}`, {
    name,
    ...(resource.group ? { group: resource.group } : {}),
    kind: resource.kind,
    causes,
  })
}

/** The body must say that it is what the URL names; a name in the URL and one in the body must agree. */
export function checkIdentity(call: Call, sent: unknown): KubeObject {
  const { resource, info } = call
  if (!isObject(sent)) throw new ApiError('BadRequest', `Cannot read a ${resource.kind}: the body is not an object`)
  const value = named(resource, sent)
  const expected = apiVersionOf(resource)
  if (value['kind'] !== resource.kind || value['apiVersion'] !== expected) {
    throw new ApiError(
      'BadRequest',
      `Cannot take this object for ${qualified(resource)}: it says apiVersion ${show(value['apiVersion'])}, kind ${show(value['kind'])}; ${expected}, ${resource.kind} is needed`,
    )
  }
  const metadata = value['metadata'] ?? {}
  if (!isObject(metadata)) throw new ApiError('BadRequest', `Cannot read a ${resource.kind}: metadata is not an object`)
  const { name, namespace } = metadata
  if (info.name !== undefined && name !== undefined && name !== '' && name !== info.name) {
    throw new ApiError('BadRequest', `the name of the object (${show(name)}) does not match the name on the URL (${info.name})`)
  }
  if (namespace !== undefined && namespace !== '' && namespace !== (info.namespace ?? '')) {
    throw new ApiError('BadRequest', 'the namespace of the provided object does not match the namespace sent on the request')
  }
  return { ...value, metadata: { ...metadata, name: info.name ?? name ?? '' } } as unknown as KubeObject
}

const show = (value: unknown): string =>
  typeof value === 'string' ? `"${value}"` : value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 80)

/** A subresource writes its own part and leaves the rest alone. */
function mergedBy({ resource, info }: Call, input: KubeObject, old: KubeObject): KubeObject {
  if (info.subresource === 'status') return withStatusOf(old, input)
  if (info.subresource === 'finalize') return { ...old, spec: input['spec'] ?? {} }
  return resource.hasStatus ? withoutStatusOf(old, input) : input
}

function withStatusOf(old: KubeObject, input: KubeObject): KubeObject {
  const { status, ...rest } = old
  return (input['status'] === undefined ? rest : { ...rest, status: input['status'] }) as KubeObject
}

function withoutStatusOf(old: KubeObject, input: KubeObject): KubeObject {
  const { status, ...rest } = input
  return (old['status'] === undefined ? rest : { ...rest, status: old['status'] }) as KubeObject
}

function desiredChanged(resource: Resource, object: KubeObject, old: KubeObject): boolean {
  const passive = new Set(['apiVersion', 'kind', 'metadata', ...(resource.hasStatus ? ['status'] : [])])
  for (const key of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (!passive.has(key) && !sameJson(object[key], old[key])) return true
  }
  return false
}

function clean(metadata: { readonly [K in keyof ObjectMeta]: ObjectMeta[K] | undefined } & { readonly selfLink: undefined }): ObjectMeta {
  return Object.fromEntries(Object.entries(metadata).filter(([key, value]) => !isNothing(key, value))) as unknown as ObjectMeta
}

/** As in Kubernetes: a map or list of metadata whose last entry was taken away is not there. */
function isNothing(key: string, value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (key === 'labels' || key === 'annotations') return isObject(value) && Object.keys(value).length === 0
  return (key === 'finalizers' || key === 'ownerReferences') && Array.isArray(value) && value.length === 0
}

/** Clients with compiled types leave out what the URL says already. Custom resources must say it themselves, as in Kubernetes. */
export function named(resource: Resource, sent: Record<string, unknown>): Record<string, unknown> {
  if (resource.since !== undefined) return sent
  return { ...sent, apiVersion: sent['apiVersion'] || apiVersionOf(resource), kind: sent['kind'] || resource.kind }
}
