import type { Cause } from '../../api/status.ts'
import type { Structural } from '../../api/structural.ts'
import { compilePath } from '../../core/json-path.ts'
import { invalid, notSupported, required, tooMany } from './cause.ts'
import { checkRoot } from './structural-rules.ts'

export interface CrdVersion {
  readonly name: string
  readonly storage: boolean
  readonly served: boolean
  readonly schema?: { readonly openAPIV3Schema?: Structural }
  readonly subresources?: {
    readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string; readonly labelSelectorPath?: string }
  }
  readonly additionalPrinterColumns?: readonly {
    readonly name: string
    readonly type: string
    readonly format?: string
    readonly jsonPath: string
  }[]
  readonly selectableFields?: readonly { readonly jsonPath: string }[]
}

const columnTypes = ['integer', 'number', 'string', 'boolean', 'date']
const columnFormats = ['int32', 'int64', 'float', 'double', 'byte', 'date', 'date-time', 'password']

export function checkVersion(version: CrdVersion, field: string, causes: Cause[]): void {
  const schema = version.schema?.openAPIV3Schema
  if (!schema) causes.push(required(`${field}.schema.openAPIV3Schema`, 'schemas are required'))
  else checkRoot(schema, `${field}.schema.openAPIV3Schema`, causes)
  version.additionalPrinterColumns?.forEach((column, index) => {
    const at = `${field}.additionalPrinterColumns[${index}]`
    if (column.name === '') causes.push(required(`${at}.name`))
    if (!columnTypes.includes(column.type)) causes.push(notSupported(`${at}.type`, column.type, columnTypes))
    if (column.format && !columnFormats.includes(column.format)) causes.push(notSupported(`${at}.format`, column.format, columnFormats))
    if (column.jsonPath === '') causes.push(required(`${at}.jsonPath`))
    else checkPath(column.jsonPath, `${at}.jsonPath`, causes)
  })
  checkScale(version, `${field}.subresources.scale`, causes)
  checkSelectable(version, schema, `${field}.selectableFields`, causes)
}

function checkPath(path: string, field: string, causes: Cause[]): void {
  try {
    compilePath(path)
    if (!path.startsWith('.')) causes.push(invalid(field, path, 'must be a JSON path that starts with a dot'))
  } catch (error) {
    causes.push(invalid(field, path, error instanceof Error ? error.message : String(error)))
  }
}

/** Paths that are written through must lead to one place. */
const simple = /^(\.[A-Za-z_][A-Za-z0-9_-]*)+$/

function checkScale(version: CrdVersion, field: string, causes: Cause[]): void {
  const scale = version.subresources?.scale
  if (!scale) return
  const check = (name: 'specReplicasPath' | 'statusReplicasPath' | 'labelSelectorPath', roots: readonly string[]) => {
    const path = scale[name]
    if (path === undefined) return
    if (!simple.test(path) || !roots.some(root => path.startsWith(`${root}.`))) {
      causes.push(invalid(`${field}.${name}`, path, `should be a simple JSON path under ${roots.join(' or ')}`))
    }
  }
  check('specReplicasPath', ['.spec'])
  check('statusReplicasPath', ['.status'])
  check('labelSelectorPath', ['.spec', '.status'])
}

const mostSelectable = 8

function checkSelectable(version: CrdVersion, schema: Structural | undefined, field: string, causes: Cause[]): void {
  const fields = version.selectableFields ?? []
  if (fields.length > mostSelectable) causes.push(tooMany(field, fields.length, mostSelectable))
  fields.forEach(({ jsonPath }, index) => {
    const at = `${field}[${index}].jsonPath`
    if (!simple.test(jsonPath)) {
      causes.push(invalid(at, jsonPath, 'must be a simple path of field names'))
      return
    }
    let found: Structural | undefined = schema
    for (const name of jsonPath.slice(1).split('.'))
      found = found?.properties && Object.hasOwn(found.properties, name) ? found.properties[name] : undefined
    const type = found?.type
    if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
      causes.push(invalid(at, jsonPath, 'must point to a field of type string, boolean or integer'))
    }
  })
}
