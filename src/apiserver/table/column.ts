import type { Column } from '../../api/structural.ts'
import type { Instant } from '../../core/duration.ts'
import { compilePath } from '../../core/json-path.ts'
import type { KubeObject } from '../../core/object.ts'
import { ageText } from './age.ts'

export interface ColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

/** A column, and what stands in it for an object. */
export interface TableColumn extends ColumnDefinition {
  readonly cell: (object: KubeObject, now: Instant) => unknown
}

export function column(
  name: string,
  type: string,
  cell: TableColumn['cell'],
  more: { readonly priority?: number; readonly format?: string; readonly description?: string } = {},
): TableColumn {
  return { name, type, format: more.format ?? '', description: more.description ?? '', priority: more.priority ?? 0, cell }
}

export const nameColumn: TableColumn = column('Name', 'string', object => object.metadata.name, {
  format: 'name',
  description: 'Unique within its namespace; cannot be changed.',
})

export const ageColumn: TableColumn = column('Age', 'string', (object, now) => ageText(object.metadata.creationTimestamp, now), {
  description: 'How long ago the object was created.',
})

/** A column that a CRD declares. */
export function printerColumn(declared: Column): TableColumn {
  const find = compilePath(declared.jsonPath)
  return column(declared.name, declared.type, (object, now) => printed(declared.type, find(object), now), declared)
}

function printed(type: string, found: readonly unknown[], now: Instant): unknown {
  const value = found[0]
  if (value === undefined || value === null) return null
  switch (type) {
    case 'string':
      return found.map(one => (typeof one === 'string' ? one : JSON.stringify(one))).join(',')
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return ageText(value, now)
    default:
      return null
  }
}
