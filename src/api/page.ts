import { stringify } from 'yaml'
import { apiVersionOf, type Kind, kindSchema } from './kind.ts'
import type { Structural } from './structural.ts'

/** The documentation page of a kind, in Markdown. */
export function kindPage(kind: Kind): string {
  const schema = kindSchema(kind)
  const example = { apiVersion: apiVersionOf(kind), kind: kind.kind, ...kind.example }
  const top = Object.entries(schema.properties ?? {}).filter(([name]) => name !== 'apiVersion' && name !== 'kind' && name !== 'metadata')
  return [
    `# ${kind.kind}`,
    kind.description,
    [
      '| | |',
      '|---|---|',
      `| API version | \`${apiVersionOf(kind)}\` |`,
      `| Resource | \`${kind.plural}\`${kind.shortNames.map(name => `, \`${name}\``).join('')} |`,
      `| Scope | ${kind.scope} |`,
      `| Categories | ${kind.categories.join(', ')} |`,
      `| Columns | ${['Name', ...kind.columns.map(column => column.name), 'Age'].join(', ')} |`,
    ].join('\n'),
    '## Example',
    `\`\`\`yaml\n${yamlText(example)}\`\`\``,
    '## Fields',
    [
      '| Field | Type | | Meaning |',
      '|---|---|---|---|',
      ...top.flatMap(([name, field]) => rows(name, field, schema.required?.includes(name) === true)),
    ].join('\n'),
    ...ruleSection(top),
  ].join('\n\n')
}

/** As YAML 1.1 reads it, which is what kubectl reads: `On` and `yes` are quoted. */
export const yamlText = (value: unknown): string => stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })

function rows(path: string, schema: Structural, required: boolean): string[] {
  const note = required ? 'required' : schema.default === undefined ? '' : `default \`${JSON.stringify(schema.default)}\``
  const inner = schema.items ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : schema)
  const innerPath = schema.items ? `${path}[]` : typeof schema.additionalProperties === 'object' ? `${path}.*` : path
  return [
    `| \`${path}\` | ${typeText(schema)} | ${note} | ${cell(meaning(schema))} |`,
    ...Object.entries(inner.properties ?? {}).flatMap(([name, field]) =>
      rows(`${innerPath}.${name}`, field, inner.required?.includes(name) === true),
    ),
  ]
}

function meaning(schema: Structural): string {
  const words = schema.enum ?? schema.items?.enum
  const choice = words ? ` One of ${words.map(word => `\`${String(word)}\``).join(', ')}.` : ''
  return `${schema.description ?? ''}${choice}`
}

function typeText(schema: Structural): string {
  if (schema['x-kubernetes-int-or-string']) return 'integer or string'
  if (schema.items) return `list of ${typeText(schema.items)}`
  if (typeof schema.additionalProperties === 'object') return `map of ${typeText(schema.additionalProperties)}`
  const format = schema.format && schema.format !== 'int32' && schema.format !== 'int64' ? ` (${schema.format})` : ''
  return `${schema.type ?? 'any'}${format}`
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function ruleSection(top: readonly (readonly [string, Structural])[]): string[] {
  const found = top.flatMap(([name, field]) => rulesOf(name, field))
  return found.length === 0 ? [] : ['## Rules', found.map(([path, message]) => `- \`${path}\`: ${message}.`).join('\n')]
}

function rulesOf(path: string, schema: Structural): (readonly [string, string])[] {
  const own = (schema['x-kubernetes-validations'] ?? []).map(rule => [path, rule.message ?? rule.rule] as const)
  const inner = schema.items
    ? rulesOf(`${path}[]`, schema.items)
    : Object.entries(schema.properties ?? {}).flatMap(([name, field]) => rulesOf(`${path}.${name}`, field))
  return [...own, ...inner]
}
