import { minutes, seconds } from '../../core/duration.ts'
import { sameVersion } from '../../policy/firmware/version-order.ts'
import type { Bmc } from '../../ports/index.ts'
import { failed, refused } from './exit.ts'
import { flash } from './flash.ts'
import { sourceFor } from './image.ts'
import { leaving } from './leaving.ts'
import { openMachine } from './machine.ts'
import { powerOf, restart } from './power.ts'
import type { Program } from './program.ts'
import { reporting } from './reporting.ts'
import { serverBioses } from './resources.ts'
import { readRunner } from './runner.ts'
import { openTarget } from './target.ts'

/** Brings the BIOS to the wanted version; done when the machine shows it. */
export const biosVersionUpdate: Program = async (env, ports) => {
  const target = await openTarget(ports, env, serverBioses, 'bios-version-update')
  await reporting(target, ports, async () => {
    const wanted = target.object.spec.bios?.version
    if (wanted === undefined) throw refused('No BIOS version is wanted')
    const machine = await openMachine(ports, env, target)
    const read = async ({ bios }: Bmc, signal: AbortSignal): Promise<string | undefined> => bios?.version(signal)
    const found = target.before.power ?? (await powerOf(machine))
    const runner = await readRunner(ports, env)
    const version = await leaving(machine, found, async () => {
      const { manufacturer, model } = machine.server.status ?? {}
      const source = () => sourceFor(runner, { component: 'BIOS', manufacturer, model, version: wanted })
      const written = await flash({ machine, target, ports, found }, { label: 'BIOS', version: wanted, read, source, targets: undefined })
      if (written === 'waits') {
        machine.say('The BIOS is written, and waits for a reset')
        await restart(machine, found, async () => sameVersion((await machine.look(read)) ?? '', wanted))
      }
      for (const began = machine.elapsed(); ; await machine.sleep(seconds(15))) {
        const now = await machine.look(read)
        if (now !== undefined && sameVersion(now, wanted)) return now
        if (machine.elapsed() - began >= minutes(3))
          throw failed(
            `The BMC took BIOS ${wanted} and reported no failure, yet the machine runs ${now ?? 'an unknown version'} after a reset`,
          )
      }
    })
    await target.done({ bios: { version } }, `BIOS ${version} runs`)
  })
}
