import type { WireType } from '../../api/builtin/wire.ts'
import { ApiError } from '../../api/status.ts'
import { copyJson, isObject, putJson } from '../../core/json.ts'
import { mergeList, ordered, removeValues } from './merge-list.ts'
import { type MergeType, mergeTypeOf } from './merge-type.ts'

type Fields = Record<string, unknown>

const setOrder = '$setElementOrder/'
const deleteValues = '$deleteFromPrimitiveList/'

/** Kubernetes' merge patch for its own kinds: lists merge by key where the type says so. Throws ApiError BadRequest. The result shares nothing with either input. */
export function strategicMerge(target: unknown, patch: unknown, type: WireType | undefined): unknown {
  if (!isObject(patch)) throw malformed('the patch is not an object')
  return mergeObject(isObject(target) ? copyJson(target) : {}, copyJson(patch), mergeTypeOf(type))
}

const malformed = (found: string) => new ApiError('BadRequest', `Cannot apply the strategic merge patch: ${found}`)

/** Both arguments are ours to change. */
function mergeObject(original: Fields, patch: Fields, type: MergeType): Fields {
  if (Object.hasOwn(patch, '$patch')) {
    const directive = patch['$patch']
    delete patch['$patch']
    if (directive === 'delete') return {}
    if (directive === 'replace') return mergeObject({}, patch, type)
    if (directive !== 'merge')
      throw malformed(`unknown patch directive $patch: ${JSON.stringify(directive)}; replace, merge and delete are known`)
  }
  retainKeys(original, patch)
  for (const key of Object.keys(patch)) {
    if (key.startsWith(deleteValues)) deleteFromList(original, key.slice(deleteValues.length), patch[key])
    else if (!key.startsWith('$')) mergeField(original, patch, key, type)
    else if (!key.startsWith(setOrder)) throw malformed(`unknown directive ${JSON.stringify(key)}`)
  }
  // A list that the patch orders without changing it.
  for (const key of Object.keys(patch)) {
    const name = key.startsWith(setOrder) ? key.slice(setOrder.length) : undefined
    if (name === undefined || Object.hasOwn(patch, name)) continue
    const list = Object.hasOwn(original, name) ? original[name] : undefined
    if (Array.isArray(list)) putJson(original, name, ordered(list, orderIn(patch, name)!, list, type(name)?.mergeKey))
  }
  return original
}

function mergeField(original: Fields, patch: Fields, key: string, type: MergeType): void {
  const change = patch[key]
  if (change === null) {
    delete original[key]
    return
  }
  const field = type(key)
  const inner: MergeType = field?.inner ?? (() => undefined)
  const replaces = field?.strategies.includes('replace') === true
  const before = Object.hasOwn(original, key) && !replaces ? original[key] : undefined
  if (isObject(change)) {
    putJson(original, key, mergeObject(isObject(before) ? before : {}, change, inner))
    return
  }
  if (!Array.isArray(change)) {
    putJson(original, key, change)
    return
  }
  const merges = field?.strategies.includes('merge') === true
  const list = mergeList(Array.isArray(before) && merges ? before : [], change, {
    mergeKey: merges ? field?.mergeKey : undefined,
    order: orderIn(patch, key),
    mergeItem: (item, itemPatch) => mergeObject(item, itemPatch, inner),
    malformed,
  })
  putJson(original, key, list)
}

function orderIn(patch: Fields, name: string): readonly unknown[] | undefined {
  const directive = `${setOrder}${name}`
  if (!Object.hasOwn(patch, directive)) return undefined
  const order = patch[directive]
  if (!Array.isArray(order)) throw malformed(`${directive} is not a list`)
  return order
}

/** Only the keys that the patch names stay: for unions such as a volume's source. */
function retainKeys(original: Fields, patch: Fields): void {
  if (!Object.hasOwn(patch, '$retainKeys')) return
  const keys: unknown = patch['$retainKeys']
  if (!Array.isArray(keys) || !keys.every(key => typeof key === 'string')) throw malformed('$retainKeys is not a list of field names')
  delete patch['$retainKeys']
  for (const key of Object.keys(patch)) {
    if (!key.startsWith('$') && patch[key] !== null && !keys.includes(key))
      throw malformed(`the patch sets ${JSON.stringify(key)}, which $retainKeys does not name`)
  }
  for (const key of Object.keys(original)) if (!keys.includes(key)) delete original[key]
}

function deleteFromList(original: Fields, name: string, values: unknown): void {
  if (!Array.isArray(values)) throw malformed(`${deleteValues}${name} is not a list`)
  const list = Object.hasOwn(original, name) ? original[name] : undefined
  if (Array.isArray(list)) putJson(original, name, removeValues(list, values))
}
