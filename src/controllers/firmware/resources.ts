import type { Job } from '../../api/batch/job.ts'
import type { Of } from '../../api/kind.ts'
import { jobRunner } from '../../api/metal/job-runner.ts'
import { serverBIOS } from '../../api/metal/server-bios.ts'
import { serverBIOSSet } from '../../api/metal/server-bios-set.ts'
import { serverFirmware } from '../../api/metal/server-firmware.ts'
import { serverFirmwareSet } from '../../api/metal/server-firmware-set.ts'
import { type ResourceRef, resourceOf } from '../../ports/index.ts'

export type ServerBIOS = Of<typeof serverBIOS>
export type ServerFirmware = Of<typeof serverFirmware>
export type JobRunner = Of<typeof jobRunner>
export type ServerBIOSSet = Of<typeof serverBIOSSet>
export type ServerFirmwareSet = Of<typeof serverFirmwareSet>

export const serverBioses = resourceOf(serverBIOS)
export const serverFirmwares = resourceOf(serverFirmware)
export const jobRunners = resourceOf(jobRunner)
export const serverBiosSets = resourceOf(serverBIOSSet)
export const serverFirmwareSets = resourceOf(serverFirmwareSet)

export const madeByUs = 'app.kubernetes.io/managed-by'
export const us = 'rackwright'

/** Only those that this program made: a cluster may have many others. */
export const jobs: ResourceRef<Job> = {
  group: 'batch',
  version: 'v1',
  plural: 'jobs',
  namespaced: true,
  part: { labels: `${madeByUs}=${us}` },
}
