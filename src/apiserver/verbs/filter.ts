import { ApiError } from '../../api/status.ts'
import type { KubeObject } from '../../core/object.ts'
import { parseSelector, selects } from '../../core/selector.ts'
import { parseFieldSelector } from '../../core/selector-fields.ts'
import type { Call } from '../call.ts'
import type { Resource } from '../resource.ts'

/** Which objects of a collection a request speaks of; undefined means all of them, so nothing has to be parsed. */
export function selection(call: Call): ((object: KubeObject) => boolean) | undefined {
  const labels = call.query.get('labelSelector')
  const fields = call.query.get('fieldSelector')
  const tests: ((object: KubeObject) => boolean)[] = []
  if (labels) {
    const selector = refusing(() => parseSelector(labels))
    tests.push(object => selects(selector, object.metadata.labels ?? {}))
  }
  if (fields) {
    const terms = refusing(() => parseFieldSelector(fields))
    for (const term of terms) {
      const read = fieldReader(call.resource, term.path)
      tests.push(object => (read(object) === term.value) === term.equals)
    }
  }
  if (tests.length === 0) return undefined
  return object => tests.every(test => test(object))
}

/** A selection of exactly one name is a lookup. */
export function selectedName(call: Call): string | undefined {
  const fields = call.query.get('fieldSelector')
  return fields ? /^metadata\.name==?([^,!=]+)$/.exec(fields)?.[1] : undefined
}

function fieldReader(resource: Resource, field: string): (object: KubeObject) => string {
  if (field === 'metadata.name') return object => object.metadata.name
  if (field === 'metadata.namespace' && resource.namespaced) return object => object.metadata.namespace ?? ''
  const read = resource.fields && Object.hasOwn(resource.fields, field) ? resource.fields[field] : undefined
  if (!read)
    throw new ApiError(
      'BadRequest',
      `Cannot select ${resource.plural} by field: "${field}" is not a known field selector of ${resource.kind}`,
    )
  return read
}

function refusing<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new ApiError('BadRequest', error instanceof Error ? error.message : String(error))
  }
}
