import { type WireField, type WireType, wireType } from '../../api/builtin/wire.ts'

/** How the value of a field is merged: what `patchStrategy` and `patchMergeKey` say, and what is known of the values inside. */
export interface MergeField {
  readonly strategies: readonly string[]
  readonly mergeKey?: string
  /** What is known of the fields of this value, or of each item of a list. */
  readonly inner: MergeType
}

/** Finds how a field merges by its JSON name; undefined where nothing is known: then objects merge, lists are replaced. */
export type MergeType = (field: string) => MergeField | undefined

const unknownType: MergeType = () => undefined

export function mergeTypeOf(type: WireType | undefined): MergeType {
  if (!type) return unknownType
  return name => {
    for (const field of type.fields) {
      if (field.name === name && !field.inline) return mergeField(field)
      if (!field.inline && field.name !== undefined) continue
      const inlined = mergeTypeOf(wireType(field.type))(name)
      if (inlined) return inlined
    }
    return undefined
  }
}

function mergeField(field: WireField): MergeField {
  const element = mergeTypeOf(wireType(field.type))
  // Every key of a map holds the same type; a map's lists have no strategy of their own.
  const inner: MergeType = field.map ? () => ({ strategies: [], inner: element }) : element
  return {
    strategies: field.patchStrategy?.split(',') ?? [],
    ...(field.patchMergeKey === undefined ? {} : { mergeKey: field.patchMergeKey }),
    inner,
  }
}
