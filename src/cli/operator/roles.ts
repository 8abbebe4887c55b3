import type { Kind } from '../../api/kind.ts'
import { assistedKinds, firmwareKinds, kinds, metal3Kinds } from '../../api/kinds.ts'
import { bootImageHistory } from '../../api/openshift/boot-image-history.ts'
import { Fault } from '../../core/fault.ts'

/** A part of the work that can be left to somebody else: which kinds it writes, and which other operator does the same. */
export interface Role {
  readonly name: string
  /** The CRDs that it writes to. */
  readonly crds: readonly string[]
  /** Leases by which operators of the same kinds elect their leader, wherever they are. */
  readonly rivals: readonly { readonly lease: string; readonly who: string }[]
}

const crdsOf = (some: readonly Kind[]): readonly string[] => some.map(({ plural, group }) => `${plural}.${group}`)

export const roles: readonly Role[] = [
  {
    name: 'metal',
    crds: crdsOf(kinds.filter(kind => !firmwareKinds.includes(kind))),
    rivals: [{ lease: 'f26702e4.ironcore.dev', who: 'metal-operator' }],
  },
  { name: 'firmware', crds: crdsOf(firmwareKinds), rivals: [] },
  { name: 'metal3', crds: crdsOf(metal3Kinds), rivals: [{ lease: 'baremetal-operator', who: 'baremetal-operator' }] },
  // A real assisted service is known by its kinds, and on each host by its finalizer.
  { name: 'assisted', crds: crdsOf(assistedKinds), rivals: [] },
  // A machine-config operator that keeps boot images itself is seen by its ClusterOperator, and left to it.
  { name: 'boot-images', crds: [`${bootImageHistory.plural}.${bootImageHistory.group}`], rivals: [] },
]

/** Roles as somebody typed them: names with commas between. */
export function rolesNamed(text: string, flag: string): readonly Role[] {
  const names = text.split(',').map(name => name.trim())
  return names
    .filter(name => name !== '')
    .map(name => {
      const role = roles.find(known => known.name === name)
      if (role) return role
      throw new Fault('operator/role', `Cannot use ${flag} ${text}: there are no controllers called "${name}"`, 'never', {
        hint: `choose from ${roles.map(known => known.name).join(', ')}`,
      })
    })
}
