import { bmcGrants } from '../../controllers/metal/bmc/grants.ts'
import { bootConfigurationGrants } from '../../controllers/metal/boot-configuration/grants.ts'
import { endpointGrants } from '../../controllers/metal/endpoint/index.ts'
import { bmcs, configurations, endpoints, servers } from '../../controllers/metal/resources.ts'
import { serverGrants } from '../../controllers/metal/server/grants.ts'
import { serverClaimGrants } from '../../controllers/metal/server-claim/grants.ts'
import { serverMaintenanceGrants } from '../../controllers/metal/server-maintenance/grants.ts'
import { serverReadinessRuleGrants } from '../../controllers/metal/server-readiness-rule/index.ts'
import { type Grant, granting, type ResourceRef, watching } from '../../ports/index.ts'
import { bmcSecrets, secrets } from '../compose/bmc-access.ts'
import { endpointSlices } from './agent-endpoint.ts'

const configMaps: ResourceRef = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
const leases: ResourceRef = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true }
const events: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true }
const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }

const inManager = (grant: Grant): Grant => ({ ...grant, within: 'manager' })

/** What every process needs to lead, to tell what happened, and to be polite to operators that were there before. */
const runtimeGrants: readonly Grant[] = [
  inManager(granting(leases, ['get', 'create', 'patch'], 'one of several replicas leads')),
  granting(events, ['get', 'create', 'patch'], 'tells what happened, beside the object that it happened to'),
  granting(leases, ['list'], 'looks for live leases of operators of the same kinds'),
  granting(definitions, ['get'], 'looks whether the CRDs are its own'),
]

/** How BMCs are reached: their credentials, and the certificate that was seen first. */
const accessGrants: readonly Grant[] = [
  inManager(granting(secrets, ['get'], 'credentials and authorities of BMCs')),
  granting(bmcSecrets, ['get'], 'credentials of BMCs'),
  granting(endpoints, ['get'], 'where a BMC is that DHCP saw'),
  granting(bmcs, ['patch'], 'keeps the fingerprint of a certificate that is trusted on first use'),
  inManager(granting(secrets, ['create'], 'makes the key of boot tickets, once')),
  inManager(granting(configMaps, ['get', 'create', 'patch'], 'says where machines boot, for people and for `doctor`')),
]

/** How a Job reaches the BMC of its server; the certificate of one that is trusted on first use was kept by the controllers before. */
export const jobAccessGrants: readonly Grant[] = [
  granting(bmcs, ['get'], 'where the BMC of its server is'),
  granting(endpoints, ['get'], 'where a BMC is that DHCP saw'),
  granting(bmcSecrets, ['get'], 'credentials of BMCs'),
  inManager(granting(secrets, ['get'], 'credentials and authorities of BMCs')),
]

/** Whoever acts for hosts says where agents find it. */
export const agentEndpointGrants: readonly Grant[] = [
  inManager(granting(endpointSlices, ['get', 'create', 'patch', 'delete'], 'leads agents of hosts to the replica that acts')),
]

/** The rights of the controllers' ServiceAccount. */
export const controllerGrants: readonly Grant[] = [
  ...runtimeGrants,
  ...accessGrants,
  ...bmcGrants,
  ...bootConfigurationGrants,
  ...endpointGrants,
  ...serverGrants,
  ...serverClaimGrants,
  ...serverMaintenanceGrants,
  ...serverReadinessRuleGrants,
]

/** The rights of the boot server's ServiceAccount: it reads, and writes what it saw into its own part of a status. */
export const bootServerGrants: readonly Grant[] = [
  watching(servers),
  watching(configurations),
  {
    group: configurations.group,
    resource: `${configurations.plural}/status`,
    verbs: ['patch'],
    because: 'notes what was served, in `served`',
  },
  granting(secrets, ['get'], 'user data of the claim that is booted, in its namespace; and the key of boot tickets'),
  granting(events, ['get', 'create', 'patch'], 'tells of machines that were refused'),
]
