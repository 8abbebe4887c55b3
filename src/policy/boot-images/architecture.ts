export type FoundArchitecture =
  | { readonly is: 'known'; readonly architecture: string }
  | { readonly is: 'skipped'; readonly because: string }
  | { readonly is: 'wrong'; readonly because: string }

const annotation = 'capacity.cluster-autoscaler.kubernetes.io/labels'
/** As Kubernetes spells them, and as streams do. */
const names: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64', s390x: 's390x', ppc64le: 'ppc64le' }

/** Which architecture a machine resource makes machines of: what it says itself, else the cluster's only one. */
export function architectureOf(
  annotations: Readonly<Record<string, string>> | undefined,
  cluster: { readonly multi: boolean; readonly architecture: string },
): FoundArchitecture {
  const labels = annotations?.[annotation]
  if (labels === undefined) {
    if (cluster.multi)
      return { is: 'skipped', because: `the cluster has several architectures, and annotation ${annotation} does not say which this is` }
    return { is: 'known', architecture: cluster.architecture }
  }
  const said = labels
    .split(',')
    .map(label => label.trim())
    .find(label => label.startsWith('kubernetes.io/arch='))
    ?.slice('kubernetes.io/arch='.length)
  if (said === undefined) return { is: 'wrong', because: `annotation ${annotation} has no kubernetes.io/arch` }
  const architecture = Object.hasOwn(names, said) ? names[said] : undefined
  if (architecture === undefined) return { is: 'wrong', because: `"${said}" in annotation ${annotation} is no architecture` }
  return { is: 'known', architecture }
}

/** A Node's spelling as streams spell it. */
export const streamArchitecture = (kubernetes: string): string => (Object.hasOwn(names, kubernetes) ? names[kubernetes]! : kubernetes)
