import { minutes, seconds } from '../../core/duration.ts'
import { componentsFor, differingFirmware, reportedFirmware } from '../../policy/firmware/component-match.ts'
import { sameVersion } from '../../policy/firmware/version-order.ts'
import type { Bmc, FirmwareComponent } from '../../ports/index.ts'
import { failed, refused } from './exit.ts'
import { type Flash, flash } from './flash.ts'
import { sourceFor } from './image.ts'
import { leaving } from './leaving.ts'
import { openMachine } from './machine.ts'
import { powerOf, restart } from './power.ts'
import type { Program } from './program.ts'
import { reporting } from './reporting.ts'
import { serverFirmwares } from './resources.ts'
import { readRunner } from './runner.ts'
import { openTarget } from './target.ts'

/** Brings components to the wanted versions, one after the other, with one reset for all that wait for one. */
export const firmwareUpdate: Program = async (env, ports) => {
  const target = await openTarget(ports, env, serverFirmwares, 'firmware-update')
  await reporting(target, ports, async () => {
    const wishes = target.object.spec.firmwares ?? []
    const machine = await openMachine(ports, env, target)
    const list = (): Promise<readonly FirmwareComponent[]> => machine.look(componentsOf)
    const installed = await list()
    const absent = wishes.filter(wish => componentsFor(wish, installed).length === 0)
    if (absent.length > 0)
      throw refused(
        `Nothing was changed: this machine has no ${absent.map(({ name, manufacturer }) => `${name} of ${manufacturer}`).join(', no ')}`,
      )
    const found = target.before.power ?? (await powerOf(machine))
    const runner = await readRunner(ports, env)
    const now = await leaving(machine, found, async () => {
      let waits = false
      for (const wish of wishes) {
        const { manufacturer, name, version } = wish
        const fitting = componentsFor(wish, installed)
        for (const { id, path, version: has } of fitting) {
          if (sameVersion(has, version)) continue
          const model = machine.server.status?.model
          const one: Flash = {
            label: fitting.length > 1 ? `${name} (${id})` : name,
            version,
            read: async (bmc, signal) => (await componentsOf(bmc, signal)).find(component => component.id === id)?.version,
            source: () => sourceFor(runner, { component: name, manufacturer, model, version }),
            targets: fitting.length > 1 && path !== undefined ? [path] : undefined,
          }
          waits = (await flash({ machine, target, ports, found }, one)) === 'waits' || waits
        }
      }
      if (waits) {
        machine.say('Firmware is written, and waits for a reset')
        await restart(machine, found, async () => differingFirmware(wishes, await list()).length === 0)
      }
      for (const began = machine.elapsed(); ; await machine.sleep(seconds(15))) {
        const after = await list()
        const other = differingFirmware(wishes, after)
        if (other.length === 0) return after
        if (machine.elapsed() - began >= minutes(3))
          throw failed(
            `The BMC reported no failure, yet after all ${other.map(({ wish, found: has }) => `${wish.name} runs ${has ?? 'nothing'} instead of ${wish.version}`).join(', ')}`,
          )
      }
    })
    await target.done({ firmwares: reportedFirmware(wishes, now) }, `${wishes.length} components run what is wanted`)
  })
}

async function componentsOf({ firmware }: Bmc, signal: AbortSignal): Promise<readonly FirmwareComponent[]> {
  if (!firmware) throw refused('The BMC lists no firmware')
  return firmware.components(signal)
}
