import { assistedHostGrants } from '../../controllers/assisted/host/grants.ts'
import { infraEnvGrants } from '../../controllers/assisted/infra-env/grants.ts'
import { bootImageGrants } from '../../controllers/boot-images/grants.ts'
import { firmwareGrants } from '../../controllers/firmware/grants.ts'
import { dataImageGrants } from '../../controllers/metal3/data-image/grants.ts'
import { hostGrants } from '../../controllers/metal3/host/grants.ts'
import { hostFirmwareComponentsGrants } from '../../controllers/metal3/host-firmware-components/grants.ts'
import { hostFirmwareSettingsGrants } from '../../controllers/metal3/host-firmware-settings/grants.ts'
import { preprovisioningImageGrants } from '../../controllers/metal3/preprovisioning-image/grants.ts'
import type { KubeObject } from '../../core/object.ts'
import { jobGrants } from '../../jobs/programs/grants.ts'
import type { Grant } from '../../ports/index.ts'
import { agentEndpointGrants, bootServerGrants, controllerGrants, jobAccessGrants } from '../operator/grants.ts'
import { rulesOf, split } from '../operator/rbac.ts'
import { labels, name } from './names.ts'
import type { Values } from './values.ts'

const rbac = 'rbac.authorization.k8s.io/v1'

/** ServiceAccounts, and roles with exactly the rights that the code declares. */
export const access = (values: Values): readonly KubeObject[] => [
  ...account(values, name.controllers, controllerGrants),
  ...account(values, name.bootServer, bootServerGrants),
]

/** What the controllers may do besides, where boot images are kept up to date, too. */
export const bootImageAccess = (values: Values): readonly KubeObject[] => more(values, 'boot-images', bootImageGrants)

/** The same for BIOS and firmware, and the account of the Jobs. */
export const firmwareAccess = (values: Values): readonly KubeObject[] => [...more(values, 'firmware', firmwareGrants), ...jobAccess(values)]

/** What a Job may do: in the namespace of the manager, where the Secrets of BMCs are. */
export const jobAccess = (values: Pick<Values, 'namespace'>): readonly KubeObject[] =>
  account(values, name.jobs, [...jobGrants, ...jobAccessGrants])

/** The same for BareMetalHosts; their credentials are in the hosts' own namespaces. */
export const metal3Access = (values: Values): readonly KubeObject[] =>
  more(values, 'metal3', [
    ...hostGrants,
    ...dataImageGrants,
    ...hostFirmwareSettingsGrants,
    ...hostFirmwareComponentsGrants,
    ...preprovisioningImageGrants,
    ...agentEndpointGrants,
  ])

/** The same for hosts of InfraEnvs. */
export const assistedAccess = (values: Values): readonly KubeObject[] =>
  more(values, 'assisted', [...assistedHostGrants, ...infraEnvGrants])

const more = ({ namespace }: Values, what: string, grants: readonly Grant[]): readonly KubeObject[] =>
  roles({ of: `${name.controllers}-${what}`, account: name.controllers, namespace }, grants)

const account = ({ namespace }: Pick<Values, 'namespace'>, of: string, grants: readonly Grant[]): readonly KubeObject[] => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: of, labels: labels(of), namespace }, automountServiceAccountToken: false },
  ...roles({ of, account: of, namespace }, grants),
]

interface RolesFor {
  readonly of: string
  readonly account: string
  readonly namespace: string
}

/** What an account may do everywhere, and what only in the namespace of the manager. */
function roles({ of, account: whose, namespace }: RolesFor, grants: readonly Grant[]): readonly KubeObject[] {
  const metadata = { name: of, labels: labels(whose) }
  const own = { ...metadata, namespace }
  const subjects = [{ kind: 'ServiceAccount', name: whose, namespace }]
  const ref = (kind: string) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name: of })
  const { everywhere, manager } = split(grants)
  return [
    { apiVersion: rbac, kind: 'ClusterRole', metadata, rules: rulesOf(everywhere) },
    { apiVersion: rbac, kind: 'ClusterRoleBinding', metadata, roleRef: ref('ClusterRole'), subjects },
    ...(manager.length === 0
      ? []
      : [
          { apiVersion: rbac, kind: 'Role', metadata: own, rules: rulesOf(manager) },
          { apiVersion: rbac, kind: 'RoleBinding', metadata: own, roleRef: ref('Role'), subjects },
        ]),
  ]
}
