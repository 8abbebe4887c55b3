import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pc from 'picocolors'
import { Fault } from '../../core/fault.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { discoveryImage } from '../../sim/images/demo.ts'
import type { Options } from '../catalogue/command.ts'
import { type Everything, type EverythingOptions, startEverything } from '../compose/everything.ts'
import { claimed, discovery, imageWithoutUki, lyingBmc, pulledCord } from '../demo/chapters.ts'
import { openTeller, type Teller } from '../demo/teller.ts'
import { installed, linked, prepared, unbound } from '../demo/zero-touch.ts'
import { homeAt, prepareHome } from '../home.ts'
import { fileLog } from '../log-file.ts'
import { numberOf } from '../number.ts'
import { span } from '../output/age.ts'

interface Story {
  readonly title: string
  readonly machines: string
  /** Where one goes on from here. */
  readonly next: string
  readonly needs: (speed: number) => Pick<EverythingOptions, 'rack' | 'metal3' | 'assisted'>
  tell(teller: Teller, demo: NonNullable<Everything['demo']>): Promise<void>
}

const stories: Readonly<Record<string, Story>> = {
  claims: {
    title: 'Rackwright, in one story.',
    machines: 'Five simulated servers',
    next: 'npm start keeps such a rack running for you to play with.',
    needs: speed => ({ rack: { servers: 5, speed, claim: false } }),
    async tell(teller, { rack: { rack } }) {
      const [first = '', second = '', third = '', fourth = '', fifth = ''] = rack.servers
      await discovery(teller, [first, second, third, fourth, fifth])
      await claimed(teller, first)
      await lyingBmc(teller, rack, fifth)
      await imageWithoutUki(teller)
      await pulledCord(teller, rack, first)
    },
  },
  'zero-touch': {
    title: 'Zero touch: from an InfraEnv to a node on disk.',
    machines: 'One simulated host',
    next: 'docs/guides/zero-touch.md says how to do it with machines of your own.',
    needs: speed => ({
      rack: { servers: 0, hosts: 1, makes: ['dell'], speed, claim: false, zeroTouch: true },
      metal3: true,
      assisted: true,
    }),
    async tell(teller, { rack, zeroTouch }) {
      const [name = ''] = rack.rack.servers
      await linked(teller, rack, name)
      await prepared(teller, rack, name)
      await installed(teller, rack, name)
      await unbound(teller, zeroTouch!, rack, name)
    },
  },
}

/** Tells a whole story on a simulated rack of its own, in a folder that is removed afterwards. */
export async function demo(options: Options, name = 'claims'): Promise<number> {
  const story = Object.hasOwn(stories, name) ? stories[name] : undefined
  if (!story) throw new Fault('cli/demo', `Cannot tell "${name}": the stories are ${Object.keys(stories).join(', ')}`, 'never')
  const speed = numberOf('--speed', options['speed'], { least: 1, most: 200 })
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-demo-'))
  const home = homeAt({ home: folder })
  prepareHome(home)
  const log = fileLog(home.logs, () => {})
  const begun = wallClock.elapsed()
  console.log(`${pc.bold(story.title)} ${story.machines}, machines and waits at ${speed} times their speed.`)
  console.log('Real: the API, the controllers, Redfish over HTTPS, the boot server. Simulated: the machines, their BMCs and their disks.')
  const everything = await startEverything({
    home,
    host: '127.0.0.1',
    port: 0,
    log,
    boot: { host: '127.0.0.1', port: 0 },
    probeImage: discoveryImage,
    ...story.needs(speed),
  })
  try {
    const teller = openTeller({ kube: everything.kube, clock: wallClock, paint: pc, print: line => console.log(line) })
    await story.tell(teller, everything.demo!)
    console.log(`\nThat is all, in ${span(wallClock.elapsed() - begun)}. ${story.next}`)
    return 0
  } finally {
    await everything.close()
    log.flush()
    rmSync(folder, { recursive: true, force: true })
  }
}
