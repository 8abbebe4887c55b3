import { sameJson } from '../core/json.ts'
import type { KubeObject } from '../core/object.ts'
import type { Kube, ResourceRef } from '../ports/kube.ts'

const crds: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }

/** Brings the CRDs of this version into the API: new ones are created, changed ones replaced, equal ones left alone. */
export async function installCrds(kube: Pick<Kube, 'find' | 'create' | 'patch'>, wanted: readonly KubeObject[]): Promise<void> {
  await Promise.all(
    wanted.map(async crd => {
      const { name } = crd.metadata
      const found = await kube.find(crds, { name })
      if (!found) await kube.create(crds, crd)
      else if (!covers(found['spec'], crd['spec']) || !covers(found.metadata.labels, crd.metadata.labels))
        await kube.patch(crds, { name }, { merge: { metadata: { labels: crd.metadata.labels }, spec: crd['spec'] as object } })
    }),
  )
}

/** True where everything wanted is there already; what the server filled in besides does not count. */
function covers(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return sameJson(found, wanted)
  return (
    typeof found === 'object' &&
    found !== null &&
    Object.entries(wanted).every(([key, value]) => covers((found as Record<string, unknown>)[key], value))
  )
}
