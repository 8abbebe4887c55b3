import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pc from 'picocolors'
import { wallClock } from '../../net/wall-clock.ts'
import { discoveryImage } from '../../sim/images/demo.ts'
import type { Options } from '../catalogue/command.ts'
import { startEverything } from '../compose/everything.ts'
import { claimed, discovery, imageWithoutUki, lyingBmc, pulledCord } from '../demo/chapters.ts'
import { openTeller } from '../demo/teller.ts'
import { homeAt, prepareHome } from '../home.ts'
import { fileLog } from '../log-file.ts'
import { numberOf } from '../number.ts'
import { span } from '../output/age.ts'

/** Tells the whole story on a simulated rack of its own, in a folder that is removed afterwards. */
export async function demo(options: Options): Promise<number> {
  const speed = numberOf('--speed', options['speed'], { least: 1, most: 200 })
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-demo-'))
  const home = homeAt({ home: folder })
  prepareHome(home)
  const log = fileLog(home.logs, () => {})
  const begun = wallClock.elapsed()
  console.log(`${pc.bold('Rackwright, in one story.')} Five simulated servers, machines and waits at ${speed} times their speed.`)
  console.log('Real: the API, the controllers, Redfish over HTTPS, the boot server. Simulated: the machines, their BMCs and their disks.')
  const everything = await startEverything({
    home,
    host: '127.0.0.1',
    port: 0,
    log,
    boot: { host: '127.0.0.1', port: 0 },
    probeImage: discoveryImage,
    rack: { servers: 5, speed, claim: false },
  })
  try {
    const { rack } = everything.demo!.rack
    const teller = openTeller({ kube: everything.kube, clock: wallClock, paint: pc, print: line => console.log(line) })
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = rack.servers
    await discovery(teller, [first, second, third, fourth, fifth])
    await claimed(teller, first)
    await lyingBmc(teller, rack, fifth)
    await imageWithoutUki(teller)
    await pulledCord(teller, rack, first)
    console.log(`\nThat is all, in ${span(wallClock.elapsed() - begun)}. npm start keeps such a rack running for you to play with.`)
    return 0
  } finally {
    await everything.close()
    log.flush()
    rmSync(folder, { recursive: true, force: true })
  }
}
