import { isObject } from '../core/json.ts'
import type { KubeObject, ObjectMeta } from '../core/object.ts'

/** More different texts than this are forgotten, and the objects that come later share anew. */
const most = 20_000
/** Longer texts are seldom equal; those of up to ten characters are shared by the parser itself. */
const longest = 64

/**
 * Makes objects fit to be kept. Frozen ones are shared with the server of this process: not a byte of them is ours. Others lose
 * managedFields, which nobody here reads, and share equal texts (times, reasons, references) instead of having one each; then they are frozen.
 */
export function openKeeper(): (object: KubeObject) => KubeObject {
  const texts = new Map<string, string>()

  function shared(text: string): string {
    if (text.length > longest) return text
    const known = texts.get(text)
    if (known !== undefined) return known
    if (texts.size >= most) texts.clear()
    texts.set(text, text)
    return text
  }

  function keep(value: Record<string, unknown> | unknown[]): void {
    if (Object.isFrozen(value)) return
    const fields = value as Record<string, unknown>
    for (const key in fields) {
      const field = fields[key]
      if (typeof field === 'string') fields[key] = shared(field)
      else if (Array.isArray(field) || isObject(field)) keep(field)
    }
    Object.freeze(value)
  }

  return object => {
    if (Object.isFrozen(object)) return object
    const made = object.metadata.managedFields === undefined ? object : { ...object, metadata: withoutManagers(object.metadata) }
    keep(made as unknown as Record<string, unknown>)
    return made
  }
}

const withoutManagers = ({ managedFields: _, ...metadata }: ObjectMeta): ObjectMeta => metadata
