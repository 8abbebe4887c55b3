import { ApiError } from '../../api/status.ts'
import type { Column } from '../../api/structural.ts'
import type { Instant } from '../../core/duration.ts'
import type { KubeObject } from '../../core/object.ts'
import { builtinColumns } from './builtin.ts'
import { ageColumn, type ColumnDefinition, nameColumn, printerColumn, type TableColumn } from './column.ts'

/** Objects as rows (meta.k8s.io/v1), as kubectl asks for them. */
export interface Table {
  readonly kind: 'Table'
  readonly apiVersion: 'meta.k8s.io/v1'
  readonly metadata: object
  readonly columnDefinitions: readonly ColumnDefinition[]
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object?: unknown }[]
}

interface Shown {
  readonly group: string
  readonly kind: string
  readonly columns: readonly Column[]
}

export interface TableOptions {
  readonly now: Instant
  /** The parameter `includeObject`: Metadata, Object or None. */
  readonly includeObject: string
  /** The list's metadata: resourceVersion, continue, remainingItemCount. */
  readonly metadata?: object
}

export function tableOf(resource: Shown, objects: readonly KubeObject[], options: TableOptions): Table {
  const columns = columnsOf(resource)
  const include = including(options.includeObject)
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: options.metadata ?? {},
    columnDefinitions: columns.map(({ cell, ...definition }) => definition),
    rows: objects.map(object => ({ cells: columns.map(column => column.cell(object, options.now)), ...include(object) })),
  }
}

/** Built-in kinds have the columns people know; CRDs say theirs, and those that say nothing get their age. */
function columnsOf(resource: Shown): readonly TableColumn[] {
  const known = builtinColumns(resource.group, resource.kind)
  if (known) return known
  return [nameColumn, ...(resource.columns.length > 0 ? resource.columns.map(printerColumn) : [ageColumn])]
}

function including(what: string): (object: KubeObject) => { readonly object?: unknown } {
  switch (what) {
    case '':
    case 'Metadata':
      return object => ({ object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata } })
    case 'Object':
      return object => ({ object })
    case 'None':
      return () => ({})
    default:
      throw new ApiError(
        'BadRequest',
        `Cannot make a table with includeObject ${JSON.stringify(what)}: Metadata, Object and None are known`,
      )
  }
}
