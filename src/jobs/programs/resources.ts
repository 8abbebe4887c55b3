import type { Of } from '../../api/kind.ts'
import { jobRunner } from '../../api/metal/job-runner.ts'
import { server } from '../../api/metal/server.ts'
import { serverBIOS } from '../../api/metal/server-bios.ts'
import { serverFirmware } from '../../api/metal/server-firmware.ts'
import { resourceOf } from '../../ports/index.ts'

export type Server = Of<typeof server>
export type ServerBIOS = Of<typeof serverBIOS>
export type ServerFirmware = Of<typeof serverFirmware>
export type JobRunner = Of<typeof jobRunner>

export const servers = resourceOf(server)
export const serverBioses = resourceOf(serverBIOS)
export const serverFirmwares = resourceOf(serverFirmware)
export const jobRunners = resourceOf(jobRunner)
