import type { Cause } from '../../api/status.ts'
import type { Structural } from '../../api/structural.ts'
import { isObject } from '../../core/json.ts'
import { forbidden, invalid, notSupported, required, shown } from './cause.ts'
import { checkValue } from './compile.ts'
import { checkJunctors } from './junctor-rules.ts'
import { checkListType, checkMapType } from './list-rules.ts'
import { patternFault } from './pattern.ts'

/** What JSON Schema knows and structural schemas do without. */
const unsupported = ['$ref', 'definitions', 'dependencies', 'patternProperties', 'additionalItems', 'id'] as const
const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

/** The schema of a whole kind. Throws nothing; every rule that is broken becomes a cause. */
export function checkRoot(schema: Structural, field: string, causes: Cause[]): void {
  if (schema.type !== 'object')
    causes.push(
      schema.type === undefined
        ? required(`${field}.type`, 'must not be empty at the root')
        : invalid(`${field}.type`, schema.type, 'must be object at the root'),
    )
  if (schema.nullable) causes.push(forbidden(`${field}.nullable`, 'nullable cannot be true at the root'))
  if (schema.default !== undefined) causes.push(forbidden(`${field}.default`, 'must not be set at the root'))
  checkNode(schema, field, 'at the root', causes)
  checkMetadataSchema(schema, `${field}.properties[metadata]`, causes)
}

/** Metadata has rules of its own; a kind may only narrow what names look like. */
function checkMetadataSchema(schema: Structural, field: string, causes: Cause[]): void {
  const metadata = schema.properties && Object.hasOwn(schema.properties, 'metadata') ? schema.properties['metadata'] : undefined
  if (!metadata) return
  if (metadata.type !== 'object') causes.push(invalid(`${field}.type`, metadata.type ?? '', 'must be object'))
  for (const name of Object.keys(metadata.properties ?? {})) {
    if (name !== 'name' && name !== 'generateName')
      causes.push(forbidden(`${field}.properties[${name}]`, 'only metadata.name and metadata.generateName may be narrowed'))
  }
}

function checkNode(schema: Structural, field: string, where: string, causes: Cause[]): void {
  checkSupported(schema, field, causes)
  checkType(schema, field, where, causes)
  checkExtensions(schema, field, causes)
  checkListType(schema, field, causes)
  checkMapType(schema, field, causes)
  checkDefault(schema, field, causes)
  checkJunctors(schema, field, causes)
  const wrongPattern = schema.pattern === undefined ? undefined : patternFault(schema.pattern)
  if (wrongPattern)
    causes.push(invalid(`${field}.pattern`, schema.pattern, `must be a valid regular expression, but isn't: ${wrongPattern}`))

  for (const [name, property] of Object.entries(schema.properties ?? {}))
    checkNode(property, `${field}.properties[${name}]`, 'for specified object fields', causes)
  if (isObject(schema.items)) checkNode(schema.items, `${field}.items`, 'for specified array items', causes)
  if (isObject(schema.additionalProperties))
    checkNode(schema.additionalProperties, `${field}.additionalProperties`, 'for specified object fields', causes)
}

function checkSupported(schema: Structural, field: string, causes: Cause[]): void {
  for (const name of unsupported) if (Object.hasOwn(schema, name)) causes.push(forbidden(`${field}.${name}`, `${name} is not supported`))
  if (schema.uniqueItems)
    causes.push(forbidden(`${field}.uniqueItems`, 'uniqueItems cannot be set to true; use x-kubernetes-list-type: set'))
  const { additionalProperties } = schema
  if (additionalProperties !== undefined && typeof additionalProperties !== 'boolean' && !isObject(additionalProperties)) {
    causes.push(invalid(`${field}.additionalProperties`, additionalProperties, 'must be a schema or a boolean'))
  }
  if (schema.additionalProperties !== undefined && Object.keys(schema.properties ?? {}).length > 0) {
    causes.push(forbidden(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'))
  }
  if (schema.items !== undefined && !isObject(schema.items))
    causes.push(forbidden(`${field}.items`, 'items must be a schema object and not an array'))
}

function checkType(schema: Structural, field: string, where: string, causes: Cause[]): void {
  const { type } = schema
  if (schema['x-kubernetes-int-or-string']) return
  if (type === undefined || (type as string) === '') {
    if (!schema['x-kubernetes-preserve-unknown-fields']) causes.push(required(`${field}.type`, `must not be empty ${where}`))
    return
  }
  if (!types.includes(type)) causes.push(notSupported(`${field}.type`, type, types))
  if (type === 'array' && schema.items === undefined) causes.push(required(`${field}.items`, 'must be specified'))
}

function checkExtensions(schema: Structural, field: string, causes: Cause[]): void {
  const preserves = schema['x-kubernetes-preserve-unknown-fields']
  if (preserves === false) causes.push(invalid(`${field}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'))
  if (schema['x-kubernetes-embedded-resource']) {
    if (schema.type !== 'object')
      causes.push(invalid(`${field}.type`, schema.type ?? '', 'must be object if x-kubernetes-embedded-resource is true'))
    if (!preserves && Object.keys(schema.properties ?? {}).length === 0) {
      causes.push(
        required(
          `${field}.properties`,
          'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
        ),
      )
    }
  }
  // CEL rules are kept and shown; this is where their compilation would be checked.
  schema['x-kubernetes-validations']?.forEach((rule, index) => {
    if (rule.rule.trim() === '') causes.push(required(`${field}.x-kubernetes-validations[${index}].rule`, 'rule is not specified'))
    if (rule.message?.includes('\n'))
      causes.push(invalid(`${field}.x-kubernetes-validations[${index}].message`, rule.message, 'message must not contain line breaks'))
  })
}

/** A default must be what its own schema would accept and leave as it is. */
function checkDefault(schema: Structural, field: string, causes: Cause[]): void {
  // A null that may not be there is no default, as in Kubernetes.
  if (schema.default === undefined || (schema.default === null && !schema.nullable)) return
  const at = `${field}.default`
  const { causes: wrong, unknown } = checkValue(schema, schema.default, '')
  for (const cause of wrong) causes.push({ reason: cause.reason, message: cause.message, field: cause.field ? `${at}.${cause.field}` : at })
  if (unknown.length > 0) causes.push(invalid(at, schema.default, `must not have unknown fields: ${shown(unknown)}`))
}
