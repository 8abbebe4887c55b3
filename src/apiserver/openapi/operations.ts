import type { Resource, Subresource } from '../resource.ts'
import { componentName, type GroupVersionKind, gvkOf, listComponentName, meta, ref } from './names.ts'

interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path'
  readonly description: string
  readonly required?: true
  readonly schema: object
}

const inQuery = (name: string, description: string, schema: object = { type: 'string' }): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
})
const inPath = (name: string, description: string): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string' },
})

const writing: readonly Parameter[] = [
  inQuery('dryRun', 'All: checks everything and writes nothing.'),
  inQuery('fieldManager', 'Who is writing.'),
  inQuery('fieldValidation', 'What to do about unknown and duplicate fields: Strict refuses, Warn warns, Ignore drops them.'),
]
const selecting: readonly Parameter[] = [
  inQuery('labelSelector', 'Only objects with these labels.'),
  inQuery('fieldSelector', 'Only objects with these values.'),
  inQuery('limit', 'At most so many objects; more come with continue.', { type: 'integer' }),
  inQuery('continue', 'Goes on where the last answer stopped.'),
  inQuery('resourceVersion', 'How new the answer has to be.'),
  inQuery('resourceVersionMatch', 'How to read resourceVersion: Exact or NotOlderThan.'),
]
const watching: readonly Parameter[] = [
  inQuery('watch', 'Answers with changes as they come.', { type: 'boolean' }),
  inQuery('allowWatchBookmarks', 'Lets the server say how far the watch has come.', { type: 'boolean' }),
  inQuery('sendInitialEvents', 'Begins a watch with what is there.', { type: 'boolean' }),
  inQuery('timeoutSeconds', 'Ends the watch after so long.', { type: 'integer' }),
]
const deleting: readonly Parameter[] = [
  inQuery('dryRun', 'All: checks everything and deletes nothing.'),
  inQuery('gracePeriodSeconds', 'How long the object may take to go.', { type: 'integer' }),
  inQuery('propagationPolicy', 'What becomes of what it owns: Orphan, Background or Foreground.'),
]

const answer = (component: string): object => ({ 200: { description: 'OK', content: { 'application/json': { schema: ref(component) } } } })
const body = (component: string): object => ({ content: { 'application/json': { schema: ref(component) } } })

function operation(action: string, gvk: GroupVersionKind, parameters: readonly Parameter[], more: object): object {
  return { parameters, ...more, 'x-kubernetes-action': action, 'x-kubernetes-group-version-kind': gvkOf(gvk) }
}

/** Every path of one resource, as Kubernetes lays them out; an operation for every verb that is served. */
export function pathsOf(resource: Resource): Record<string, object> {
  const prefix = `${resource.group === '' ? '/api' : `/apis/${resource.group}`}/${resource.version}`
  const across = `${prefix}/${resource.plural}`
  const collection = resource.namespaced ? `${prefix}/namespaces/{namespace}/${resource.plural}` : across
  const scope = resource.namespaced ? [inPath('namespace', 'The namespace of the object.')] : []
  const paths: Record<string, object> = {}
  const add = (path: string, parameters: readonly Parameter[], operations: Readonly<Record<string, object | undefined>>) => {
    const present = Object.fromEntries(Object.entries(operations).filter(([, one]) => one !== undefined))
    if (Object.keys(present).length > 0)
      paths[path] = { ...present, parameters: [...parameters, inQuery('pretty', 'Has no effect: answers are compact.')] }
  }
  add(collection, scope, collectionOperations(resource))
  if (resource.namespaced) add(across, [], { get: collectionOperations(resource)['get'] })
  const named = [inPath('name', `The name of the ${resource.kind}.`), ...scope]
  add(`${collection}/{name}`, named, objectOperations(resource, resource.verbs, componentName(resource), resource))
  for (const sub of resource.subresources) add(`${collection}/{name}/${sub.name}`, named, subresourceOperations(resource, sub))
  return paths
}

function collectionOperations(resource: Resource): Readonly<Record<string, object | undefined>> {
  const { verbs } = resource
  const component = componentName(resource)
  return {
    get: verbs.includes('list')
      ? operation('list', resource, [...selecting, ...(verbs.includes('watch') ? watching : [])], {
          responses: answer(listComponentName(resource)),
        })
      : undefined,
    post: verbs.includes('create')
      ? operation('post', resource, writing, { requestBody: body(component), responses: answer(component) })
      : undefined,
    delete: verbs.includes('deletecollection')
      ? operation('deletecollection', resource, [...selecting, ...deleting], {
          requestBody: body(`${meta}.DeleteOptions`),
          responses: answer(`${meta}.Status`),
        })
      : undefined,
  }
}

function objectOperations(
  resource: Resource,
  verbs: readonly string[],
  component: string,
  gvk: GroupVersionKind,
): Readonly<Record<string, object | undefined>> {
  return {
    get: verbs.includes('get') ? operation('get', gvk, [], { responses: answer(component) }) : undefined,
    put: verbs.includes('update')
      ? operation('put', gvk, writing, { requestBody: body(component), responses: answer(component) })
      : undefined,
    patch: verbs.includes('patch')
      ? operation('patch', gvk, writing, { requestBody: patchBody(resource), responses: answer(component) })
      : undefined,
    delete: verbs.includes('delete')
      ? operation('delete', gvk, deleting, { requestBody: body(`${meta}.DeleteOptions`), responses: answer(`${meta}.Status`) })
      : undefined,
  }
}

/** kubectl sends a strategic merge patch only where this names it. */
function patchBody(resource: Resource): object {
  const types = [
    'application/json-patch+json',
    'application/merge-patch+json',
    ...(resource.wireType ? ['application/strategic-merge-patch+json'] : []),
  ]
  return { content: Object.fromEntries(types.map(type => [type, { schema: { type: 'object' } }])) }
}

function subresourceOperations(resource: Resource, sub: Subresource): Readonly<Record<string, object | undefined>> {
  const gvk = { group: sub.group ?? resource.group, version: sub.version ?? resource.version, kind: sub.kind }
  const component = sub.kind === resource.kind ? componentName(resource) : `${meta}.Status`
  return {
    ...objectOperations(resource, sub.verbs, component, gvk),
    post: sub.verbs.includes('create')
      ? operation('post', gvk, writing, {
          requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          responses: answer(component),
        })
      : undefined,
  }
}
