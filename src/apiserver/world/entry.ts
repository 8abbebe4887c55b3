import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Change, Entry } from './world.ts'

/** An object's name in the store: `<group>/<plural>/<key>`; a resource holds exactly one slash. */
export const rowKey = (resource: string, key: string): string => `${resource}/${key}`
export function fromRowKey(rowKey: string): { readonly resource: string; readonly key: string } {
  const cut = rowKey.indexOf('/', rowKey.indexOf('/') + 1)
  return { resource: rowKey.slice(0, cut), key: rowKey.slice(cut + 1) }
}

/** Freezes `value` all the way down and says whether its JSON would parse back to exactly the same tree. */
function sealed(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean'
  if (value === null) return true
  Object.freeze(value)
  if (Array.isArray(value)) {
    let same = true
    for (const item of value) same = sealed(item) && same
    return same
  }
  const prototype = Object.getPrototypeOf(value)
  let same = (prototype === Object.prototype || prototype === null) && !('toJSON' in value)
  for (const key of Object.keys(value)) same = sealed((value as Record<string, unknown>)[key]) && same
  return same
}

export class StoredEntry implements Entry {
  readonly resource: string
  readonly key: string
  readonly revision: number
  readonly bytes: Uint8Array
  #object: KubeObject | undefined

  constructor(resource: string, key: string, revision: number, bytes: Uint8Array, object?: KubeObject) {
    this.resource = resource
    this.key = key
    this.revision = revision
    this.bytes = bytes
    this.#object = object
  }

  forget(): void {
    this.#object = undefined
  }

  get object(): KubeObject {
    if (this.#object === undefined) {
      const parsed: unknown = JSON.parse(Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength).toString('utf8'))
      sealed(parsed)
      this.#object = parsed as KubeObject
    }
    return this.#object
  }
}

/** History keeps bytes only: the parse of what is superseded goes, and comes back for whoever still asks. */
export function dropParse(entry: Entry | undefined): void {
  if (entry instanceof StoredEntry) entry.forget()
}

export class StoredChange implements Change {
  readonly type: Change['type']
  readonly entry: Entry
  readonly previous?: Entry
  /** The event as a watch sends it; for an object written in this life, `entry.bytes` is a part of it and nothing is copied. */
  readonly #lines: Partial<Record<Change['type'], Uint8Array>>

  constructor(type: Change['type'], entry: Entry, previous: Entry | undefined, line?: Uint8Array) {
    this.type = type
    this.entry = entry
    if (previous) this.previous = previous
    this.#lines = line ? { [type]: line } : {}
  }

  get revision(): number {
    return this.entry.revision
  }

  line(type: Change['type']): Uint8Array {
    this.#lines[type] ??= Buffer.concat([Buffer.from(opening(type)), seenAs(this, type).bytes, closing])
    return this.#lines[type]
  }
}

const opening = (type: Change['type']): string => `{"type":"${type}","object":`
const closing = Buffer.from('}\n')
const encoder = new TextEncoder()

/** Stamps the revision into `object` and serialises it, once, as the event that watches will send. */
export function stampedChange(
  where: Pick<Entry, 'resource' | 'key'>,
  type: Change['type'],
  object: KubeObject,
  revision: number,
  previous?: Entry,
) {
  const stamped: KubeObject = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } }
  const start = opening(type)
  const line = encoder.encode(`${start}${JSON.stringify(stamped)}}\n`)
  const bytes = line.subarray(start.length, line.length - closing.length)
  const entry = new StoredEntry(where.resource, where.key, revision, bytes, sealed(stamped) ? stamped : undefined)
  return new StoredChange(type, entry, previous, line)
}

/** A watch whose selector lets go of an object sends what it last saw of it, at the revision at which it left. */
export function seenAs(change: Change, type: Change['type']): Entry {
  if (type !== 'DELETED' || change.type === 'DELETED' || !change.previous || !isObject(change.previous.object)) return change.entry
  return stampedChange(change.entry, 'DELETED', change.previous.object, change.revision).entry
}

/** `{"type":"ADDED","object":…}` and a line feed, serialised once however many watches send it. */
export function watchLine(change: Change, type: Change['type']): Uint8Array {
  return (change instanceof StoredChange ? change : new StoredChange(change.type, change.entry, change.previous)).line(type)
}
