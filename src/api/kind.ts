import type { ObjectMeta } from '../core/object.ts'
import type { Fields, ObjectOf } from './schema.ts'
import { object } from './schema.ts'
import type { Column, Structural } from './structural.ts'

/** One kind of ours, in one version: everything about it that is known without running anything. */
export interface Kind<F extends Fields = Fields> {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly scope: 'Cluster' | 'Namespaced'
  /** For people: the first paragraph of its page and of `kubectl explain`. */
  readonly description: string
  /** What an object holds besides apiVersion, kind and metadata; `status` here makes it a subresource. */
  readonly fields: F
  readonly columns: readonly Column[]
  /** Goes along when a cluster's objects are moved to another one, by `clusterctl move` as well. */
  readonly moves?: true
  /** A whole object that the schema accepts, for its page. */
  readonly example: object
}

type Given<F extends Fields> = Omit<Kind<F>, 'shortNames' | 'categories'> & Partial<Pick<Kind<F>, 'shortNames' | 'categories'>>

export const kind = <const F extends Fields>(given: Given<F>): Kind<F> => ({ shortNames: [], categories: ['metal'], ...given })

/** The object that a kind describes: `Of<typeof server>`. */
export type Of<K> =
  K extends Kind<infer F> ? { readonly apiVersion: string; readonly kind: string; readonly metadata: ObjectMeta } & ObjectOf<F> : never

export const apiVersionOf = ({ group, version }: Pick<Kind, 'group' | 'version'>): string => `${group}/${version}`

/** The schema of the whole object, as a CRD carries it. */
export function kindSchema(of: Kind): Structural {
  const { properties, ...rest } = object(of.fields, of.description).structural
  return {
    ...rest,
    properties: {
      apiVersion: { type: 'string', description: 'The group and version that this object is written in.' },
      kind: { type: 'string', description: 'What this object is.' },
      metadata: { type: 'object' },
      ...properties,
    },
  }
}
