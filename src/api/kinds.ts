import { agent } from './assisted/agent.ts'
import { infraEnv } from './assisted/infra-env.ts'
import type { Kind } from './kind.ts'
import { bmc } from './metal/bmc.ts'
import { bmcSecret } from './metal/bmc-secret.ts'
import { endpoint } from './metal/endpoint.ts'
import { jobRunner } from './metal/job-runner.ts'
import { server } from './metal/server.ts'
import { serverBIOS } from './metal/server-bios.ts'
import { serverBIOSSet } from './metal/server-bios-set.ts'
import { serverBootConfiguration } from './metal/server-boot-configuration.ts'
import { serverClaim } from './metal/server-claim.ts'
import { serverFirmware } from './metal/server-firmware.ts'
import { serverFirmwareSet } from './metal/server-firmware-set.ts'
import { serverMaintenance } from './metal/server-maintenance.ts'
import { serverReadinessRule } from './metal/server-readiness-rule.ts'
import { bareMetalHost } from './metal3/bare-metal-host.ts'
import { dataImage } from './metal3/data-image.ts'
import { firmwareSchema } from './metal3/firmware-schema.ts'
import { hardwareData } from './metal3/hardware-data.ts'
import { hostFirmwareComponents } from './metal3/host-firmware-components.ts'
import { hostFirmwareSettings } from './metal3/host-firmware-settings.ts'
import { hostUpdatePolicy } from './metal3/host-update-policy.ts'
import { preprovisioningImage } from './metal3/preprovisioning-image.ts'
import { bootImageHistory } from './openshift/boot-image-history.ts'
import { foreignKinds } from './openshift/foreign.ts'
import { machineConfiguration } from './openshift/machine-configuration.ts'

/** Those of BIOS and firmware among them. */
export const firmwareKinds: readonly Kind[] = [jobRunner, serverBIOS, serverBIOSSet, serverFirmware, serverFirmwareSet]

/** Every kind of bare metal; CRDs, docs and the rest are made from this list. */
export const kinds: readonly Kind[] = [
  bmc,
  bmcSecret,
  endpoint,
  jobRunner,
  server,
  serverBIOS,
  serverBIOSSet,
  serverBootConfiguration,
  serverClaim,
  serverFirmware,
  serverFirmwareSet,
  serverMaintenance,
  serverReadinessRule,
]

/** Kinds of Metal3: hosts as it describes them. */
export const metal3Kinds: readonly Kind[] = [
  bareMetalHost,
  dataImage,
  firmwareSchema,
  hardwareData,
  hostFirmwareComponents,
  hostFirmwareSettings,
  hostUpdatePolicy,
  preprovisioningImage,
]

/** Kinds of the assisted service, which installs hosts as people tell it to: on a cluster that has it they are there already. */
export const assistedKinds: readonly Kind[] = [agent, infraEnv]

/** Kinds of managed boot images, with those of other projects that they are about: only where somebody wants them. */
export const openshiftKinds: readonly Kind[] = [machineConfiguration, bootImageHistory, ...foreignKinds]

/** All that this program knows a schema of, whoever installs it. */
export const everyKind: readonly Kind[] = [...kinds, ...metal3Kinds, ...assistedKinds, ...openshiftKinds]
