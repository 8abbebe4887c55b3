import type { Resource } from '../resource.ts'
import { addWireType, type Components } from './builtin-components.ts'
import { componentName, listComponentName, meta } from './names.ts'
import { pathsOf } from './operations.ts'
import { publishedKind, publishedList } from './published.ts'

/** One group version, described: what kubectl's apply, explain and validation read. */
export function documentOf(resources: readonly Resource[]): object {
  const components: Components = {}
  for (const name of ['ObjectMeta', 'ListMeta', 'DeleteOptions', 'Status']) addWireType(`${meta}.${name}`, components)
  const paths: Record<string, object> = {}
  for (const resource of resources) {
    const name = componentName(resource)
    if (resource.wireType === undefined) components[name] = publishedKind(resource)
    else addWireType(resource.wireType, components, [resource])
    if (resource.verbs.includes('list')) components[listComponentName(resource)] = publishedList(resource, name)
    Object.assign(paths, pathsOf(resource))
  }
  return { openapi: '3.0.0', info: { title: 'Rackwright', version: 'v1' }, paths, components: { schemas: components } }
}
