import type { Cause } from '../api/status.ts'
import type { KubeObject } from '../core/object.ts'
import type { Resource } from './resource.ts'
import { compileSchema } from './schema/compile.ts'

/** The compiled schema of each resource, made on first use and dropped with the resource. */
export interface Schemas {
  of(resource: Resource): CompiledSchema
}

export interface CompiledSchema {
  /** Prunes, fills in defaults and checks. `object` is a new value only where something changed. */
  check(object: KubeObject): { readonly object: KubeObject; readonly causes: readonly Cause[]; readonly unknown: readonly string[] }
  /** Prunes and fills in defaults without judging: for objects stored under an older schema. */
  refresh(object: KubeObject): KubeObject
}

export function openSchemas(): Schemas {
  const compiled = new WeakMap<Resource, CompiledSchema>()
  return {
    of(resource) {
      const known = compiled.get(resource)
      if (known) return known
      const made = compileSchema(resource.schema, { toleratesTwins: resource.wireType !== undefined })
      compiled.set(resource, made)
      return made
    },
  }
}
