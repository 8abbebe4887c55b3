import { createHash } from 'node:crypto'
import { firmwareControllers } from '../../src/controllers/firmware/index.ts'
import { firmwareIndexes } from '../../src/controllers/firmware/indexes.ts'
import {
  type JobRunner,
  jobRunners,
  type ServerBIOS,
  type ServerFirmware,
  serverBioses,
  serverFirmwares,
} from '../../src/controllers/firmware/resources.ts'
import { metalIndexes } from '../../src/controllers/metal/indexes.ts'
import { conditionOf } from '../../src/core/condition.ts'
import type { Millis } from '../../src/core/duration.ts'
import { jobHost } from '../../src/jobs/host/index.ts'
import { openSweeper } from '../../src/jobs/host/sweep.ts'
import { inProcessExecutor } from '../../src/jobs/in-process.ts'
import { jobPrograms, runJobProgram } from '../../src/jobs/programs/index.ts'
import type { BmcPool } from '../../src/ports/bmc.ts'
import { bmcPool } from '../../src/redfish/index.ts'
import type { Controllers } from '../../src/runtime/index.ts'
import { firmwareVersion } from '../../src/sim/machine/machine.ts'
import type { Rack } from '../../src/sim/rack.ts'
import { type RackOptions, system } from '../metal/rack.ts'
import { story, type Words } from '../metal/story.ts'
import type { TestWorld } from '../runtime/world.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const ownImage = 'rackwright.dev/rackwright'

export const bytesOf = (part: string, version: string): Uint8Array => Buffer.from(`sim-firmware: ${part} ${version}\n`)
export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** Everything of firmware on a simulated rack in virtual time: the controllers, the Job host and the programs themselves. */
export interface FirmwareOnRack {
  readonly controllers: Controllers
  /** Where power was switched or an update begun while a BMC had a task under way, whatever it said. */
  readonly violations: string[]
  /** Whatever programs run are killed, as a pod would be: their next call is their last. */
  kill(): void
  stop(): Promise<void>
}

export function firmwareOnRack(
  world: Pick<TestWorld, 'kube' | 'clock' | 'log' | 'controllers'>,
  rack: Rack,
  files: ReadonlyMap<string, Uint8Array>,
): FirmwareOnRack {
  const { kube, clock, log } = world
  const violations: string[] = []
  const pools: BmcPool[] = []
  const openPool = (): BmcPool => {
    const pool = bmcPool({
      clock,
      log,
      access: async name => ({
        address: `https://${name}`,
        tls: { trust: 'System' },
        credentials: async () => ({ username: rack.username, password: rack.password(name) }),
      }),
      transport: ({ address }) => {
        const { hostname } = new URL(address)
        return request => {
          if (request.method === 'POST' && /Reset$|Update|upload/i.test(request.url) && rack.busy(hostname))
            violations.push(`${hostname} ${request.url}`)
          return rack.transport(hostname)(request)
        }
      },
    })
    pools.push(pool)
    return pool
  }
  const images = {
    open: async (url: string) =>
      (async function* () {
        yield files.get(url) ?? Buffer.from('nothing')
      })(),
  }
  const alive = new Set<() => void>()
  const executor = inProcessExecutor(async ({ program, env }, { signal, say }) => {
    const pool = openPool()
    let dead = false
    const mortal = <T>(call: () => Promise<T>): Promise<T> => (dead ? new Promise(() => {}) : call())
    const own = {
      find: ((of, key, options) => mortal(() => kube.find(of, key, options))) as typeof kube.find,
      patch: ((of, key, patch, options) => mortal(() => kube.patch(of, key, patch, options))) as typeof kube.patch,
    }
    const open = (): BmcPool => ({ ...pool, use: (name, work, cut) => mortal(() => pool.use(name, work, cut)) })
    let end = (): void => {}
    const killed = new Promise<number>(resolve => {
      end = () => {
        dead = true
        resolve(137)
      }
    })
    alive.add(end)
    try {
      return await Promise.race([runJobProgram(program, env, { kube: own, pool: open, images, clock, signal, say }), killed])
    } finally {
      alive.delete(end)
      void pool.close()
    }
  })
  const sweeper = openSweeper(kube, clock, executor)
  const controllers = world.controllers({ indexes: [...metalIndexes, ...firmwareIndexes] })
  const made = firmwareControllers({ pool: openPool(), namespace: system, jobImage: ownImage })
  controllers.add(made.bios)
  controllers.add(made.firmware)
  controllers.add(made.biosSets)
  controllers.add(made.firmwareSets)
  const host = world.controllers()
  host.add(own =>
    jobHost({ kube: own, executor, images: [ownImage], programs: jobPrograms, token: async () => 'token', started: sweeper.started }),
  )
  controllers.start()
  host.start()
  return {
    controllers,
    violations,
    kill() {
      for (const end of alive) end()
    },
    async stop() {
      sweeper.close()
      await Promise.all([controllers.stop(), host.stop()])
      await Promise.all(pools.map(pool => pool.close()))
    },
  }
}

export interface FirmwareWords extends Words {
  readonly firmware: FirmwareOnRack
  /** A version that the JobRunner knows; `other` bytes have another digest than it says. */
  offers(component: string, part: string, version: string, more?: { readonly other?: boolean }): Promise<void>
  wishes(machine: string, bios: object, name?: string): Promise<void>
  wishesFirmware(machine: string, firmwares: readonly object[]): Promise<void>
  bios(name: string): Promise<ServerBIOS>
  sync(name: string): Promise<{ readonly status: string; readonly reason: string; readonly message: string } | undefined>
  /** Lets time pass until the object says so. */
  says(name: string, within: Millis, so: (bios: ServerBIOS) => boolean, words: string): Promise<ServerBIOS>
  inSync(name: string, within: Millis): Promise<ServerBIOS>
  firmwareNow(name: string): Promise<ServerFirmware>
  /** Lets time pass until the components are as wanted. */
  partsInSync(name: string, within: Millis): Promise<ServerFirmware>
  /** What really runs, whatever its BMC says. */
  runs(machine: string): string | undefined
}

/** A story of discovered servers and their firmware; a machine's BMC is never asked to switch or update while it is at work. */
export async function firmwareStory(tell: (words: FirmwareWords) => Promise<void>, options: RackOptions = {}): Promise<void> {
  const files = new Map<string, Uint8Array>()
  await story(
    async words => {
      const { world } = words
      const { kube, rack, clock } = world
      const firmware = firmwareOnRack(world, rack, files)
      await kube.create(jobRunners, {
        apiVersion: metal,
        kind: 'JobRunner',
        metadata: { name: 'default' },
        spec: { image: ownImage },
      } as unknown as JobRunner)
      const biosNow = (name: string) => kube.get(serverBioses, { name })
      const sync = async (name: string) => (await biosNow(name)).status?.conditions?.find(({ type }) => type === 'InSync')
      const says: FirmwareWords['says'] = async (name, within, so, said) => {
        await world
          .until(within, `${name}: ${said}`, async () => so(await biosNow(name)))
          .catch(async (error: Error) => {
            const because = firmware.controllers.history(serverBioses, { name }).map(one => one.because)
            throw new Error(`${error.message}\n${because.slice(-12).join('\n')}\n${JSON.stringify((await biosNow(name)).status, null, 1)}`)
          })
        return biosNow(name)
      }
      try {
        await tell({
          ...words,
          firmware,
          async offers(component, part, version, { other = false } = {}) {
            const bytes = bytesOf(part, version)
            const url = `https://firmware.example/${part}-${version}.bin`
            files.set(url, other ? bytesOf(part, `${version}-evil`) : bytes)
            const runner = await kube.get(jobRunners, { name: 'default' })
            const source = { component, version, url, digest: digestOf(bytes) }
            await kube.patch(jobRunners, { name: 'default' }, { merge: { spec: { sources: [...runner.spec.sources, source] } } })
          },
          async wishes(machine, bios, name = machine) {
            const spec = { serverRef: { name: `${machine}-system-0` }, bios }
            await kube.create(serverBioses, { apiVersion: metal, kind: 'ServerBIOS', metadata: { name }, spec } as unknown as ServerBIOS)
          },
          async wishesFirmware(machine, firmwares) {
            const spec = { serverRef: { name: `${machine}-system-0` }, firmwares }
            await kube.create(serverFirmwares, {
              apiVersion: metal,
              kind: 'ServerFirmware',
              metadata: { name: machine },
              spec,
            } as unknown as ServerFirmware)
          },
          bios: biosNow,
          sync,
          says,
          inSync: (name, within) =>
            says(
              name,
              within,
              ({ status }) => status?.conditions?.some(one => one.type === 'InSync' && one.status === 'True') ?? false,
              'in sync',
            ),
          firmwareNow: name => kube.get(serverFirmwares, { name }),
          async partsInSync(name, within) {
            const now = () => kube.get(serverFirmwares, { name })
            await world
              .until(within, `${name} is in sync`, async () => conditionOf((await now()).status, 'InSync')?.status === 'True')
              .catch(async (error: Error) => {
                throw new Error(`${error.message}\n${JSON.stringify((await now()).status, null, 1)}`)
              })
            return now()
          },
          runs: machine => {
            const found = rack.machine(machine)
            return firmwareVersion(found, found.model.firmware.find(({ kind }) => kind === 'BIOS')!.id)
          },
        })
        if (firmware.violations.length > 0) throw new Error(`I9 broken: ${firmware.violations.join(', ')}`)
      } finally {
        const ended = firmware.stop()
        await clock.advance(120_000)
        await ended
      }
    },
    { ...options, files },
  )
}
