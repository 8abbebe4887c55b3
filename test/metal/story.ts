import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import {
  claims,
  configurations,
  type Server,
  type ServerBootConfiguration,
  type ServerClaim,
  servers,
} from '../../src/controllers/metal/resources.ts'
import { type Millis, minutes } from '../../src/core/duration.ts'
import { decodeYaml } from '../../src/net/body/yaml.ts'
import { type ResetType, reset } from '../../src/sim/machine/power.ts'
import type { RackEvent } from '../../src/sim/rack.ts'
import { canaryUserData } from './canaries.ts'
import { type MetalRack, openMetalRack, type RackOptions, secrets, system } from './rack.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const examples = join(import.meta.dirname, '../../examples/boot-policy')
const operation = 'metal.ironcore.dev/operation'
const provisioned = 'metal.ironcore.dev/provisioned'
const ofClaim = (name: string) => ({ name, namespace: 'default' })
const ofServer = (machine: string) => ({ name: `${machine}-system-0` })

/** Words in which stories about servers are told. A machine is named as in the rack; its Server is found by that. */
export interface Words {
  readonly world: MetalRack
  readonly when: {
    /** Claims by the words of an example, as somebody would apply it. */
    applies(example: string, change?: (claim: ServerClaim) => ServerClaim): Promise<string>
    claims(name: string, spec?: object): Promise<void>
    wantsPower(claim: string, power: 'On' | 'Off'): Promise<void>
    removes(claim: string): Promise<void>
    asks(machine: string, what: string): Promise<void>
    /** Somebody at the machine itself, past its BMC. */
    byHand(machine: string, what: ResetType): void
    passes(ms: Millis): Promise<void>
  }
  readonly then: {
    /** Lets time pass until it is so. */
    server(
      machine: string,
      within: Millis,
      is: Partial<NonNullable<Server['status']>> | ((server: Server) => boolean),
      words?: string,
    ): Promise<Server>
    claim(name: string, within: Millis, is: (claim: ServerClaim) => boolean, words: string): Promise<ServerClaim>
    runsFrom(machine: string, from: 'Hdd' | 'Pxe' | 'UefiHttp', within: Millis): Promise<void>
    isProvisioned(claim: string, within: Millis): Promise<void>
  }
  server(machine: string): Promise<Server>
  condition(
    machine: string,
    type: string,
  ): Promise<{ readonly status: string; readonly reason: string; readonly message: string } | undefined>
  configuration(claim: string): Promise<ServerBootConfiguration | undefined>
  /** What really happened to a machine, since the story was at this point. */
  happened(machine: string): readonly RackEvent[]
  boots(machine: string): readonly string[]
}

export async function story(tell: (words: Words) => Promise<void>, options: RackOptions = {}): Promise<void> {
  const world = await openMetalRack(options)
  try {
    await world.kube.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'my-ignition-secret', namespace: 'default' },
      stringData: { ignition: canaryUserData('ignition') },
    })
    const words = wordsOf(world)
    for (const machine of options.undiscovered ? [] : world.rack.servers)
      await words.then.server(machine, minutes(30), { state: 'Available' })
    await tell(words)
  } finally {
    await world.stop()
  }
}

function wordsOf(world: MetalRack): Words {
  const { kube, rack, events, clock } = world
  const server = (machine: string): Promise<Server> => kube.get(servers, ofServer(machine))
  const happened = (machine: string): readonly RackEvent[] => events.filter(event => event.server === machine)
  const change = (name: string, spec: object) => kube.patch(claims, ofClaim(name), { merge: { spec } })
  const create = async (claim: object): Promise<void> => {
    await kube.create(claims, claim as ServerClaim)
    await clock.settle()
  }
  const words: Words = {
    world,
    when: {
      async applies(example, changed = claim => claim) {
        const read = decodeYaml(readFileSync(join(examples, example))) as unknown as ServerClaim
        const claim = changed({ ...read, metadata: { ...read.metadata, namespace: 'default' } })
        await create(claim)
        return claim.metadata.name
      },
      claims: (name, spec = {}) =>
        create({
          apiVersion: metal,
          kind: 'ServerClaim',
          metadata: ofClaim(name),
          spec: { power: 'On', image: 'my-uki-osimage:latest', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' }, ...spec },
        }),
      async wantsPower(claim, power) {
        await change(claim, { power })
        await clock.settle()
      },
      async removes(claim) {
        await kube.delete(claims, ofClaim(claim))
        await clock.settle()
      },
      async asks(machine, what) {
        await kube.patch(servers, ofServer(machine), { merge: { metadata: { annotations: { [operation]: what } } } })
        await clock.settle()
      },
      byHand: (machine, what) => void reset(rack.machine(machine), what),
      passes: ms => clock.advance(ms),
    },
    then: {
      async server(machine, within, is, said = JSON.stringify(is)) {
        const so = (found: Server | undefined): boolean =>
          found !== undefined && (typeof is === 'function' ? is(found) : matches(found.status ?? {}, is))
        let last: Server | undefined
        const look = async (): Promise<boolean> => {
          last = await kube.find(servers, ofServer(machine))
          return so(last)
        }
        await world.until(within, `${machine}: ${said}`, look).catch((error: Error) => {
          throw new Error(`${error.message}. ${tail(world, machine, last)}`)
        })
        return last!
      },
      async claim(name, within, is, said) {
        let last: ServerClaim | undefined
        await world.until(within, `${name}: ${said}`, async () => {
          last = await kube.find(claims, ofClaim(name))
          return last !== undefined && is(last)
        })
        return last!
      },
      async runsFrom(machine, from, within) {
        const runs = (): boolean => {
          const { stage, source } = rack.machine(machine)
          return stage === 'running' && source === from
        }
        await world.until(within, `${machine} runs from ${from}`, runs).catch(async (error: Error) => {
          throw new Error(`${error.message}. ${tail(world, machine, await server(machine))}`)
        })
      },
      async isProvisioned(claim, within) {
        const marked = async () => (await words.configuration(claim))?.metadata.annotations?.[provisioned] === 'true'
        await world.until(within, `${claim} is provisioned`, marked)
      },
    },
    server,
    condition: async (machine, type) => (await server(machine)).status?.conditions?.find(c => c.type === type),
    configuration: claim => kube.find(configurations, ofClaim(claim)),
    happened,
    boots: machine => happened(machine).flatMap(event => (event.what === 'boots' ? [event.from] : [])),
  }
  return words
}

const matches = (status: object, wanted: object): boolean => {
  try {
    expect(status).toMatchObject(wanted)
    return true
  } catch {
    return false
  }
}

/** What a failed story needs to be understood. */
function tail({ running, events }: MetalRack, machine: string, last: Server | undefined): string {
  const said = running.history(servers, ofServer(machine)).map(({ because }) => because)
  const told = events.filter(event => event.server === machine).map(({ server: _, at: __, ...event }) => JSON.stringify(event))
  const { state, boot, powerState, conditions } = last?.status ?? {}
  return `\n${JSON.stringify({ state, powerState, boot, conditions }, null, 1)}\n${said.join('\n')}\n${told.join('\n').replace(/boot\/[^"/]*\//g, 'boot/…/')}`
}

/** Everything of discovery that may be left behind. */
export const leftovers = async ({ kube }: MetalRack): Promise<readonly string[]> =>
  (await kube.list(configurations, { namespace: system })).items.map(({ metadata }) => metadata.name)
