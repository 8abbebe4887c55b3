import type { Structural } from '../../api/structural.ts'

const text = (description: string): Structural => ({ type: 'string', description })
const flag = (description: string): Structural => ({ type: 'boolean', description })
const texts = (description: string): Structural => ({ type: 'array', items: { type: 'string' }, description })
const whole = (description: string): Structural => ({ type: 'integer', format: 'int64', description })
const number = (description: string): Structural => ({ type: 'number', description })
const anything = (description: string): Structural => ({ nullable: true, 'x-kubernetes-preserve-unknown-fields': true, description })
const object = (properties: Readonly<Record<string, Structural>>, description: string, required: readonly string[] = []): Structural => ({
  type: 'object',
  properties,
  description,
  ...(required.length > 0 ? { required } : {}),
})
const list = (items: Structural, description: string): Structural => ({ type: 'array', items, description })

/** The schema of schemas. It contains itself, so never print it whole. Which of these fields a CRD may use is structural-rules.ts' to say. */
function schemaProps(): Structural {
  const properties: Record<string, Structural> = {
    id: text('Not supported.'),
    $schema: text('The dialect that the schema is written in.'),
    $ref: { type: 'string', nullable: true, description: 'Not supported: schemas are written out.' },
    title: text('A short name for people.'),
    description: text('What the value means, for people.'),
    type: text('object, array, string, integer, number or boolean.'),
    format: text('A finer kind of text or number, such as date-time or int32.'),
    default: anything('What is filled in where the value is missing.'),
    example: anything('An example, for people.'),
    enum: list(anything('A value.'), 'The values that are allowed.'),
    nullable: flag('Whether null is a value; otherwise nulls are dropped.'),
    maximum: number('The largest number allowed.'),
    exclusiveMaximum: flag('Whether the maximum itself is excluded.'),
    minimum: number('The smallest number allowed.'),
    exclusiveMinimum: flag('Whether the minimum itself is excluded.'),
    multipleOf: number('The number divides by this without rest.'),
    maxLength: whole('The most characters of a text.'),
    minLength: whole('The fewest characters of a text.'),
    pattern: text('A regular expression (RE2) that the text must contain.'),
    maxItems: whole('The most items of a list.'),
    minItems: whole('The fewest items of a list.'),
    uniqueItems: flag('Not supported; use x-kubernetes-list-type: set.'),
    maxProperties: whole('The most fields of an object.'),
    minProperties: whole('The fewest fields of an object.'),
    required: texts('Fields that must be there.'),
    externalDocs: object({ description: text('What is found there.'), url: text('Where.') }, 'More documentation.'),
    'x-kubernetes-preserve-unknown-fields': flag('Keeps fields that the schema does not name.'),
    'x-kubernetes-embedded-resource': flag('The value is a Kubernetes object of its own.'),
    'x-kubernetes-int-or-string': flag('The value is an integer or a text.'),
    'x-kubernetes-list-map-keys': texts('The fields that name an item of a list of type map.'),
    'x-kubernetes-list-type': text('atomic, set or map: how a list is merged, and whether twins are refused.'),
    'x-kubernetes-map-type': text('granular or atomic: how an object is merged.'),
    'x-kubernetes-validations': list(
      object(
        {
          rule: text('A CEL expression that must be true.'),
          message: text('What to say where it is not.'),
          messageExpression: text('A CEL expression that makes the message.'),
          reason: text('The reason in the answer.'),
          fieldPath: text('The field that the answer names.'),
          optionalOldSelf: flag('Whether the rule also runs where there was no value before.'),
        },
        'A rule.',
        ['rule'],
      ),
      'Rules in CEL.',
    ),
  }
  const schema: Structural = { type: 'object', properties, description: 'A structural schema.' }
  const named: Structural = { type: 'object', additionalProperties: schema, description: 'Schemas by field name.' }
  for (const key of ['properties', 'patternProperties', 'definitions']) properties[key] = named
  for (const key of ['allOf', 'anyOf', 'oneOf']) properties[key] = list(schema, 'Schemas that judge the value again.')
  properties['not'] = schema
  // A schema, or in places a boolean or a list that structural-rules.ts refuses.
  const loose: Structural = { properties, description: 'A structural schema.' }
  for (const key of ['items', 'additionalProperties', 'additionalItems']) properties[key] = loose
  properties['dependencies'] = { type: 'object', additionalProperties: loose, description: 'Not supported.' }
  return schema
}

const names = object(
  {
    plural: text('The name in URLs: all lower case.'),
    singular: text('The name for one; kind in lower case by default.'),
    shortNames: texts('Abbreviations for people.'),
    kind: text('The name in manifests: CamelCase.'),
    listKind: text('The kind of lists; kind + List by default.'),
    categories: texts('Groups of kinds that people get together, such as all.'),
  },
  'What the resource is called.',
  ['plural', 'kind'],
)

const version = object(
  {
    name: text('The version in URLs and manifests, such as v1alpha1.'),
    served: flag('Whether it can be used.'),
    storage: flag('Whether objects are stored in it; exactly one version is.'),
    deprecated: flag('Whether using it warns.'),
    deprecationWarning: { ...text('What the warning says.'), nullable: true },
    schema: object({ openAPIV3Schema: schemaProps() }, 'How objects of this version look.'),
    subresources: object(
      {
        status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, description: 'Makes status a subresource.' },
        scale: object(
          {
            specReplicasPath: text('Where the wanted number stands.'),
            statusReplicasPath: text('Where the found number stands.'),
            labelSelectorPath: text('Where the selector of what is counted stands.'),
          },
          'Makes scale a subresource.',
          ['specReplicasPath', 'statusReplicasPath'],
        ),
      },
      'What else can be written besides the object itself.',
    ),
    additionalPrinterColumns: list(
      object(
        {
          name: text('The column’s heading.'),
          type: text('integer, number, string, boolean or date.'),
          format: text('A finer kind of type.'),
          description: text('What the column means.'),
          priority: { type: 'integer', format: 'int32', description: 'Above 0: shown in wide output only.' },
          jsonPath: text('Where the value stands.'),
        },
        'A column.',
        ['name', 'type', 'jsonPath'],
      ),
      'Columns in tables besides the name.',
    ),
    selectableFields: list(
      object({ jsonPath: text('Where the value stands.') }, 'A field.', ['jsonPath']),
      'Fields that field selectors may name.',
    ),
  },
  'One version of the resource.',
  ['name', 'served', 'storage'],
)

const condition = object(
  {
    type: text('What the condition is about.'),
    status: text('True, False or Unknown.'),
    reason: text('Why, in one word.'),
    message: text('Why, in words.'),
    lastTransitionTime: { type: 'string', format: 'date-time', description: 'When the status last changed.' },
    observedGeneration: whole('The generation that it is about.'),
  },
  'A condition.',
  ['type', 'status'],
)

export const crdSchema: Structural = {
  type: 'object',
  description: 'A kind of object that this API serves besides its own.',
  required: ['spec'],
  properties: {
    spec: object(
      {
        group: text('The API group, a domain name.'),
        names,
        scope: text('Namespaced or Cluster.'),
        versions: list(version, 'The versions, at least one.'),
        conversion: object(
          {
            strategy: text('None: only apiVersion changes between versions.'),
            webhook: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, description: 'Not supported.' },
          },
          'How objects get from one version to another.',
        ),
        preserveUnknownFields: flag('Not supported; use x-kubernetes-preserve-unknown-fields in the schema.'),
      },
      'What is served.',
      ['group', 'names', 'scope', 'versions'],
    ),
    status: object(
      {
        conditions: list(condition, 'How serving it goes.'),
        acceptedNames: { ...names, required: [] },
        storedVersions: texts('Versions that objects were ever stored in.'),
      },
      'What is served at present.',
    ),
  },
}
