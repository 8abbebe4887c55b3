import { copyJson, isObject, putJson } from '../../core/json.ts'

/** RFC 7386: objects are merged field by field, null removes, anything else replaces. The result shares nothing with either input. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return copyJson(patch)
  const result = isObject(target) ? copyWithout(target, patch) : {}
  for (const key of Object.keys(patch)) {
    const change = patch[key]
    if (change === null) continue
    const before = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined
    putJson(result, key, mergePatch(before, change))
  }
  return result
}

/** What the patch names is not copied only to be replaced; its place among the fields stays. */
function copyWithout(target: Record<string, unknown>, patch: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(target)) {
    if (!Object.hasOwn(patch, key)) putJson(copy, key, copyJson(target[key]))
    else if (patch[key] !== null) putJson(copy, key, undefined)
  }
  return copy
}
