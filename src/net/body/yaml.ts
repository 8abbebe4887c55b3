import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseDocument,
  type YAMLError,
  type YAMLMap,
} from 'yaml'
import { ApiError } from '../../api/status.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { duplicateFields } from './duplicates.ts'
import { decodeJson } from './json.ts'
import { checkSize, forbiddenKey, type Limits, malformed, refuseKey, tooDeep, tooManyKeys, yamlLimits } from './limits.ts'

export interface YamlOptions {
  readonly limits?: Limits
  /** Told about every field that a mapping names twice; the last one counts. */
  readonly onDuplicate?: (path: string) => void
}

/** Tags of YAML 1.1 that kubectl's reader does not resolve: a date stays text, `1:30` is no number of seconds. */
const unresolved = /:(timestamp|binary|set|omap|pairs)$/

/** Reads one YAML document the way kubectl does: 1.1 booleans (`on`, `yes`), merge keys, every key a string. */
export function decodeYaml(bytes: Uint8Array, options: YamlOptions = {}): Json {
  const limits = options.limits ?? yamlLimits
  const json = asJson(bytes, options)
  if (json !== undefined) return json
  checkSize('YAML', bytes, limits)
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  refuseDeepFlow(text, limits)
  const document = parse(text)
  const error = document.errors[0]
  if (error) throw malformed('YAML', saying(error, text))
  if (document.contents === null) return null
  return new Reader(limits, options.onDuplicate ?? (() => {})).value(document.contents, 0, '')
}

/** Clients send JSON under YAML's name, often larger than YAML may be: it gets its own, cheaper reader. Undefined where it is none. */
function asJson(bytes: Uint8Array, { onDuplicate }: YamlOptions): Json | undefined {
  const first = bytes.find(byte => byte > 0x20)
  if (first !== 0x7b && first !== 0x5b) return undefined
  try {
    const value = decodeJson(bytes)
    if (onDuplicate) duplicateFields(bytes).forEach(onDuplicate)
    return value
  } catch (error) {
    if (ApiError.is(error, 'BadRequest')) return undefined
    throw error
  }
}

function parse(text: string) {
  try {
    return parseDocument<ParsedNode>(text, {
      version: '1.1',
      // The check for equal keys compares each with each; the reader below does it in one pass.
      uniqueKeys: false,
      // Finding the line of every error is costly where there are thousands; only the first is told.
      prettyErrors: false,
      logLevel: 'error',
      customTags: tags => tags.filter(tag => typeof tag === 'string' || !(unresolved.test(tag.tag) || tag.format === 'TIME')),
    })
  } catch (error) {
    // The parser recurses: nesting that the scan could not see ends its stack, not the process.
    throw malformed('YAML', error instanceof RangeError ? 'it is nested too deeply' : String(error))
  }
}

function saying(error: YAMLError, text: string): string {
  if (error.code === 'MULTIPLE_DOCS') return 'it holds more than one document'
  if (error.message.startsWith('Maximum call stack')) return 'it is nested too deeply'
  const before = text.slice(0, error.pos[0])
  const line = before.split('\n').length
  return `${error.message.slice(0, 200)} (line ${line}, column ${before.length - before.lastIndexOf('\n')})`
}

/** The parser recurses into brackets and is slow to give up on them, so they are counted first: also quoted ones, hence generously. */
function refuseDeepFlow(text: string, limits: Limits): void {
  let open = 0
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 0x5b || char === 0x7b) open++
    else if ((char === 0x5d || char === 0x7d) && open > 0) open--
    if (open > limits.depth * 4) throw tooDeep('YAML', limits)
  }
}

/** Turns nodes into JSON itself, because the limits must hold for what aliases unfold to, not for what was written. */
class Reader {
  readonly #limits: Limits
  readonly #onDuplicate: (path: string) => void
  readonly #anchors = new Map<string, Node>()
  #visited = 0

  constructor(limits: Limits, onDuplicate: (path: string) => void) {
    this.#limits = limits
    this.#onDuplicate = onDuplicate
  }

  value(node: unknown, depth: number, path: string): Json {
    if (depth > this.#limits.depth) throw tooDeep('YAML', this.#limits)
    if (++this.#visited > this.#limits.keys * 2) throw tooManyKeys('YAML', this.#limits)
    if (node === null || node === undefined) return null
    if (isAlias(node)) return this.value(this.#target(node.source), depth + 1, path)
    if ((isScalar(node) || isCollection(node)) && node.anchor) this.#anchors.set(node.anchor, node)
    if (isScalar(node)) return scalar(node.value)
    if (isSeq(node)) return node.items.map((item, i) => this.value(item, depth + 1, `${path}[${i}]`))
    if (isMap(node)) return this.#object(node, depth, path)
    throw malformed('YAML', 'it has something other than mappings, lists and plain values')
  }

  #target(anchor: string): Node {
    const node = this.#anchors.get(anchor)
    if (!node) throw malformed('YAML', `the alias *${anchor.slice(0, 60)} stands before its anchor, or has none`)
    return node
  }

  #object(map: YAMLMap, depth: number, path: string): Json {
    const merged: Record<string, Json> = {}
    const own: Record<string, Json> = {}
    for (const pair of map.items) {
      if (isMergeKey(pair.key)) {
        this.#merge(merged, this.value(pair.value, depth + 1, path))
        continue
      }
      const key = keyOf(this.value(pair.key, depth + 1, path))
      const at = path === '' ? key : `${path}.${key}`
      if (Object.hasOwn(own, key)) this.#onDuplicate(at)
      own[key] = this.value(pair.value, depth + 1, at)
    }
    return { ...merged, ...own }
  }

  #merge(into: Record<string, Json>, from: Json): void {
    const sources = Array.isArray(from) ? from : [from]
    for (const source of sources) {
      if (typeof source !== 'object' || source === null || Array.isArray(source))
        throw malformed('YAML', 'a merge key (<<) has a value that is no mapping')
      for (const [key, value] of Object.entries(source as JsonObject)) if (!Object.hasOwn(into, key)) into[key] = value
    }
  }
}

const isMergeKey = (key: unknown): boolean => isScalar(key) && key.type === 'PLAIN' && key.source === '<<'

function scalar(value: unknown): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw malformed('YAML', `it has a value that JSON cannot say${typeof value === 'number' ? `: ${value}` : ''}`)
}

function keyOf(value: Json): string {
  if (typeof value === 'object' && value !== null) throw malformed('YAML', 'a key is a mapping or a list')
  const key = String(value)
  if (key === forbiddenKey) throw refuseKey('YAML')
  return key
}
