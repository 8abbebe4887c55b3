import type { Cause } from '../api/status.ts'
import type { Column, Structural } from '../api/structural.ts'
import type { KubeObject } from '../core/object.ts'

/** Everything the verbs need to know about one served resource in one version. Built-in kinds are constants; CRDs make theirs at run time. */
export interface Resource {
  readonly group: string
  readonly version: string
  /** Set where objects are stored in another shape than this one serves (another version, or Event's two groups). */
  readonly storage?: Storage
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly subresources: readonly Subresource[]
  readonly schema: Structural
  /** The revision at which this schema came into force; older entries are defaulted and pruned when they are read. */
  readonly since?: number
  readonly columns: readonly Column[]
  /** Built-in kinds take strategic merge patches and protobuf bodies: the name of their wire type (`io.k8s.api.core.v1.Secret`). */
  readonly wireType?: string
  /** True where `status` may only be written through its subresource, and generation counts changes of the rest. */
  readonly hasStatus: boolean
  readonly hasGeneration: boolean
  /** Field selectors beyond metadata.name and metadata.namespace: path → value of an object. */
  readonly fields?: Readonly<Record<string, (object: KubeObject) => string>>
  /** Fills in what Kubernetes would at write time, before validation (`spec` defaults, `stringData` → `data`). */
  readonly prepare?: (object: KubeObject, old: KubeObject | undefined) => KubeObject
  /** Rules beyond the schema. */
  readonly validate?: (object: KubeObject, old: KubeObject | undefined) => readonly Cause[]
}

export interface Storage {
  /** Where they lie in the world: `<group>/<plural>`. */
  readonly name: string
  readonly encode: (served: KubeObject) => KubeObject
  readonly decode: (stored: KubeObject) => KubeObject
}

export interface Subresource {
  readonly name: 'status' | 'token' | 'scale' | 'finalize'
  readonly kind: string
  readonly group?: string
  readonly version?: string
  readonly verbs: readonly string[]
}

/** Names a resource in the world: `<group>/<plural>`. */
export const resourceName = (r: { readonly group: string; readonly plural: string }): string => `${r.group}/${r.plural}`
/** Where the objects of a served resource lie in the world. */
export const storedUnder = (r: Resource): string => r.storage?.name ?? resourceName(r)
/** How people and error messages name it: `secrets`, `servers.metal.ironcore.dev`. */
export const qualified = (r: { readonly group: string; readonly plural: string }): string =>
  r.group === '' ? r.plural : `${r.plural}.${r.group}`
export const apiVersionOf = (r: { readonly group: string; readonly version: string }): string =>
  r.group === '' ? r.version : `${r.group}/${r.version}`
/** Names an object in its resource. */
export const objectKey = (namespace: string | undefined, name: string): string => (namespace ? `${namespace}/${name}` : name)
