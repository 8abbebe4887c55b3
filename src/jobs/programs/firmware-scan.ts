import { printInstant } from '../../core/instant.ts'
import { reportedFirmware } from '../../policy/firmware/component-match.ts'
import { refused } from './exit.ts'
import { openMachine } from './machine.ts'
import type { Program } from './program.ts'
import { reporting } from './reporting.ts'
import { serverFirmwares } from './resources.ts'
import { openTarget } from './target.ts'

/** Reads what is installed; changes nothing. */
export const firmwareScan: Program = async (env, ports) => {
  const target = await openTarget(ports, env, serverFirmwares, 'firmware-scan')
  await reporting(target, ports, async () => {
    const machine = await openMachine(ports, env, target, true)
    const components = await machine.look(async ({ firmware }, signal) => {
      if (!firmware) throw refused('The BMC lists no firmware')
      return firmware.components(signal)
    }, 0)
    const firmwares = reportedFirmware(target.object.spec.firmwares ?? [], components)
    await target.done({ firmwares, lastScanTime: printInstant(ports.clock.now()) }, `found ${components.length} components`)
  })
}
