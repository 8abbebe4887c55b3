import { type Grant, granting, keepingStatus, watching } from '../../ports/index.ts'
import {
  capiDeployments,
  capiSets,
  clusterOperators,
  clusterVersions,
  controlPlaneNodes,
  featureGates,
  goldenMaps,
  histories,
  infrastructures,
  machineConfigPools,
  machineConfigurations,
  mapiSets,
  secrets,
  templateResources,
} from './resources.ts'

/** The rights of the controllers of boot images. */
export const bootImageGrants: readonly Grant[] = [
  ...[histories, machineConfigurations, infrastructures, clusterVersions, featureGates, clusterOperators, machineConfigPools].map(watching),
  ...[controlPlaneNodes, goldenMaps, secrets, mapiSets.machines, capiSets.machines, ...templateResources].map(watching),
  ...[mapiSets, capiSets, capiDeployments].flatMap(({ of }) => [
    watching(of),
    granting(of, ['patch'], 'writes the boot image of the running release, and the stub that goes with it'),
  ]),
  keepingStatus(histories),
  keepingStatus(machineConfigurations),
  granting(histories, ['create'], 'begins a history for everything that is opted in'),
  granting(goldenMaps, ['patch'], 'stamps ConfigMap coreos-bootimages'),
  granting(secrets, ['patch'], 'keeps managed stubs at the certificate of the machine-config server, and lifts old ones to Ignition 3'),
  ...templateResources.map(of =>
    granting(of, ['create', 'delete'], 'clones templates, which are never edited, and collects its own clones'),
  ),
]
