import type { Resource } from '../resource.ts'

export const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'

export interface GroupVersionKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

export const gvkOf = ({ group, version, kind }: GroupVersionKind): GroupVersionKind => ({ group, version, kind })

/** What a kind is called among the schemas: built-ins as Kubernetes calls them, others by their group read backwards. */
export function componentName(resource: Pick<Resource, 'group' | 'version' | 'kind' | 'wireType'>): string {
  return resource.wireType ?? `${resource.group.split('.').reverse().join('.')}.${resource.version}.${resource.kind}`
}

export const listComponentName = (resource: Pick<Resource, 'group' | 'version' | 'kind' | 'wireType' | 'listKind'>): string =>
  `${componentName(resource).split('.').slice(0, -1).join('.')}.${resource.listKind}`

export const ref = (component: string): { readonly $ref: string } => ({ $ref: `#/components/schemas/${component}` })

/** A reference that carries more than itself: OpenAPI 3.0 ignores what stands beside $ref. */
export const refWith = (component: string, more: object): object => ({ allOf: [ref(component)], ...more })
