import { createHash } from 'node:crypto'
import { kinds } from '../../src/api/kinds.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { runJobProgram } from '../../src/jobs/programs/index.ts'
import type { ProgramPorts } from '../../src/jobs/programs/program.ts'
import {
  type JobRunner,
  jobRunners,
  type Server,
  type ServerBIOS,
  type ServerFirmware,
  serverBioses,
  serverFirmwares,
  servers,
} from '../../src/jobs/programs/resources.ts'
import type { BmcPool, Kube, ResourceRef } from '../../src/ports/index.ts'
import { bmcPool } from '../../src/redfish/index.ts'
import { uuidOf } from '../../src/sim/machine/identity.ts'
import { openRack, type Rack, type RackEvent } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'
import { makes } from '../contracts/bmc/makes.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'

export const bytesOf = (part: string, version: string): Uint8Array => Buffer.from(`sim-firmware: ${part} ${version}\n`)
const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

export interface Kill {
  /** Which of the calls to the API or the BMC is its last. */
  readonly at: number
  /** Whether that call still arrives. */
  readonly arrives: boolean
}

export interface Ended {
  readonly code: number | 'killed'
  readonly lines: readonly string[]
  /** Calls to the API and the BMC, in order. */
  readonly calls: readonly string[]
}

export interface ProgramWorld extends TestWorld {
  readonly rack: Rack
  readonly events: RackEvent[]
  /** Where power was switched or an update begun while the BMC had a task under way, whatever it said. */
  readonly violations: string[]
  /** The bytes behind every address. */
  readonly shelf: Map<string, Uint8Array>
  bios(): Promise<ServerBIOS>
  firmware(): Promise<ServerFirmware>
  server(): Promise<Server>
  wishBios(bios: object): Promise<void>
  wishFirmware(firmwares: readonly object[]): Promise<void>
  /** A version that the JobRunner knows; `other` bytes have another digest than it says. */
  offers(component: string, part: string, version: string, more?: { readonly other?: boolean; readonly delivery?: string }): Promise<void>
  patchServer(spec: object, status?: object): Promise<void>
  /** Runs a program as a Job would, through virtual time to its end or its death. */
  run(
    program: string,
    options?: { readonly kill?: Kill; readonly job?: string; during?(calls: readonly string[]): unknown },
  ): Promise<Ended>
  resets(): number
}

/** Secrets that must not show up in anything that is said. */
const canary = 'canary-4711-of-a-bmc'
const signature = 'canary-4712-of-an-address'

const metal = 'metal.ironcore.dev/v1alpha1'
const job = 'job-1'

/** One simulated server of a make, its objects, and programs that are started by hand; no controllers. Time stands until a program runs. */
export async function programWorld(make: string): Promise<ProgramWorld> {
  const world = await testWorld(kinds)
  const { kube, clock, log } = world
  const rack = openRack({ clock, ids: seededIds(seeded('rack')), servers: [{ name: 'srv', personality: make }], password: canary })
  const events: RackEvent[] = []
  rack.onEvent(event => void events.push(event))
  const violations: string[] = []
  const shelf = new Map<string, Uint8Array>()
  const { manufacturer, model } = rack.personality('srv')

  await kube.create(servers, {
    apiVersion: metal,
    kind: 'Server',
    metadata: { name: 'srv' },
    spec: { systemUUID: uuidOf(0), systemURI: makes[make]!.identity.system, bmcRef: { name: 'srv' } },
  } as unknown as Server)
  const bios = await kube.create(serverBioses, {
    apiVersion: metal,
    kind: 'ServerBIOS',
    metadata: { name: 'srv' },
    spec: { serverRef: { name: 'srv' } },
  } as unknown as ServerBIOS)
  const firmware = await kube.create(serverFirmwares, {
    apiVersion: metal,
    kind: 'ServerFirmware',
    metadata: { name: 'srv' },
    spec: { serverRef: { name: 'srv' } },
  } as unknown as ServerFirmware)
  await kube.create(jobRunners, {
    apiVersion: metal,
    kind: 'JobRunner',
    metadata: { name: 'default' },
    spec: { image: 'rackwright.dev/rackwright' },
  } as unknown as JobRunner)
  const targets = {
    ServerBIOS: { of: serverBioses, uid: bios.metadata.uid! },
    ServerFirmware: { of: serverFirmwares, uid: firmware.metadata.uid! },
  }
  const patchServer = async (spec: object, status?: object): Promise<void> => {
    await kube.patch(servers, { name: 'srv' }, { merge: { spec } })
    if (status) await kube.patch(servers, { name: 'srv' }, { merge: { status } }, { subresource: 'status' })
  }
  await patchServer({}, { state: 'Available', manufacturer, model })

  const start = async (program: string, options: Parameters<ProgramWorld['run']>[1] = {}): Promise<Ended> => {
    const kind = program.startsWith('bios') ? 'ServerBIOS' : 'ServerFirmware'
    const { of, uid } = targets[kind]
    const name = options.job ?? job
    await kube.patch(
      of as ResourceRef,
      { name: 'srv' },
      { merge: { status: { runningJob: { name, namespace: 'jobs' } } } },
      { subresource: 'status' },
    )
    if (!program.endsWith('scan')) await patchServer({ updateRef: { kind, name: 'srv', uid, job: name } })
    const logged = world.logged.length
    const calls: string[] = []
    const lines: string[] = []
    let killed = (): void => {}
    const death = new Promise<'killed'>(resolve => {
      killed = () => resolve('killed')
    })
    let dead = false
    const mortal = async <T>(call: string, work: () => Promise<T>): Promise<T> => {
      if (dead) return new Promise(() => {})
      calls.push(call)
      if (options.kill?.at !== calls.length) return work()
      dead = true
      if (options.kill.arrives) await work().catch(() => undefined)
      killed()
      return new Promise(() => {})
    }
    const own: Pick<Kube, 'find' | 'patch'> = {
      find: (of, key, asking) => mortal(`api find ${of.plural}`, () => kube.find(of, key, asking)),
      patch: (of, key, patch, writing) => mortal(`api patch ${of.plural}`, () => kube.patch(of, key, patch, writing)),
    }
    const bmc = rack.transport('srv')
    const pools: BmcPool[] = []
    const pool: ProgramPorts['pool'] = ({ system, reading }) => {
      const made = bmcPool({
        clock,
        log,
        reading,
        access: async () => ({
          address: 'https://srv',
          ...(system === undefined ? {} : { system }),
          tls: { trust: 'System' },
          credentials: async () => ({ username: rack.username, password: rack.password('srv') }),
        }),
        transport: () => request => {
          if (request.method === 'POST' && /Reset$|Update|upload/i.test(request.url) && rack.busy('srv')) violations.push(request.url)
          return mortal(`bmc ${request.method} ${request.url.split('?')[0]}`, () => bmc(request))
        },
      })
      pools.push(made)
      return made
    }
    const env = {
      RACKWRIGHT_TARGET_KIND: kind,
      RACKWRIGHT_TARGET_NAME: 'srv',
      RACKWRIGHT_TARGET_UID: uid,
      RACKWRIGHT_JOB_NAME: name,
      RACKWRIGHT_JOB_NAMESPACE: 'jobs',
      RACKWRIGHT_JOB_RUNNER: 'default',
    }
    const images = {
      open: async (url: string): Promise<AsyncIterable<Uint8Array>> =>
        (async function* () {
          yield shelf.get(url) ?? Buffer.from('nothing')
        })(),
    }
    const run = async (): Promise<number> => {
      try {
        return await runJobProgram(program, env, {
          kube: own,
          pool,
          images,
          clock,
          signal: new AbortController().signal,
          say: line => void lines.push(line),
        })
      } finally {
        for (const one of pools) await one.close()
      }
    }
    let code: number | 'killed' | undefined
    void Promise.race([run(), death]).then(end => {
      code = end
    })
    for (let passed = 0; code === undefined; passed += seconds(5)) {
      await clock.settle()
      if (code !== undefined) break
      if (passed > minutes(600)) throw new Error(`${program} does not end: ${lines.slice(-5).join(' | ')}`)
      await clock.advance(seconds(5))
      await options.during?.(calls)
    }
    const said = JSON.stringify([
      lines,
      (await kube.get(serverBioses, { name: 'srv' })).status,
      (await kube.get(serverFirmwares, { name: 'srv' })).status,
      world.logged.slice(logged),
    ])
    if (said.includes(canary) || said.includes(signature)) violations.push(`${program} tells a secret`)
    return { code, lines, calls }
  }

  return {
    ...world,
    rack,
    events,
    violations,
    shelf,
    bios: () => kube.get(serverBioses, { name: 'srv' }),
    firmware: () => kube.get(serverFirmwares, { name: 'srv' }),
    server: () => kube.get(servers, { name: 'srv' }),
    wishBios: async wish => void (await kube.patch(serverBioses, { name: 'srv' }, { merge: { spec: { bios: wish } } })),
    wishFirmware: async firmwares => void (await kube.patch(serverFirmwares, { name: 'srv' }, { merge: { spec: { firmwares } } })),
    async offers(component, part, version, { other = false, delivery } = {}) {
      const bytes = bytesOf(part, version)
      const url = `https://firmware.example/${part}-${version}.bin?sig=${signature}`
      shelf.set(url, other ? bytesOf(part, `${version}-evil`) : bytes)
      const runner = await kube.get(jobRunners, { name: 'default' })
      const source = { component, version, url, digest: digestOf(bytes), ...(delivery ? { delivery } : {}) }
      await kube.patch(jobRunners, { name: 'default' }, { merge: { spec: { sources: [...(runner.spec.sources ?? []), source] } } })
    },
    patchServer,
    run: start,
    resets: () => events.filter(({ what }) => what === 'reset').length,
  }
}
