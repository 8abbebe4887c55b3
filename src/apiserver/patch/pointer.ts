import { isObject } from '../../core/json.ts'

/** Where an operation of a JSON patch points: the container, and the key or position in it. */
export type Place =
  | { readonly in: 'object'; readonly object: Record<string, unknown>; readonly key: string }
  | { readonly in: 'list'; readonly list: unknown[]; readonly at: number }
  | { readonly in: 'nothing'; readonly because: string }

/** The tokens of an RFC 6901 pointer; undefined where it is none. The empty pointer names the whole document. */
export function pointerTokens(pointer: string): readonly string[] | undefined {
  if (pointer === '') return []
  if (pointer[0] !== '/' || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split('/')
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** `-` is the place after the last item. Only own fields count: `constructor` is a key like any other. */
export function locate(root: unknown, tokens: readonly string[]): Place {
  let value = root
  for (const token of tokens.slice(0, -1)) {
    const found = read(step(value, token))
    if (!found) return { in: 'nothing', because: `there is nothing at "${token}" on the way` }
    value = found.value
  }
  return step(value, tokens.at(-1) ?? '')
}

function step(container: unknown, token: string): Place {
  if (Array.isArray(container)) {
    if (token === '-') return { in: 'list', list: container, at: container.length }
    if (!/^(0|[1-9]\d{0,8})$/.test(token)) return { in: 'nothing', because: `"${token}" is no position in a list` }
    return { in: 'list', list: container, at: Number(token) }
  }
  if (isObject(container)) return { in: 'object', object: container, key: token }
  return { in: 'nothing', because: `"${token}" is looked for in what is neither object nor list` }
}

export function read(place: Place): { readonly value: unknown } | undefined {
  if (place.in === 'object') return Object.hasOwn(place.object, place.key) ? { value: place.object[place.key] } : undefined
  if (place.in === 'list') return place.at < place.list.length ? { value: place.list[place.at] } : undefined
  return undefined
}
