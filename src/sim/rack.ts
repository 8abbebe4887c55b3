import type { Millis } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { Clock, HttpRequest, HttpResponse, Ids, Transport } from '../ports/index.ts'
import { serveAgent } from './machine/ironic-agent/serve.ts'
import { type Happening, type Machine, newMachine } from './machine/machine.ts'
import type { BootWorld } from './machine/world.ts'
import { type FaultName, isFault } from './misbehaviour/catalogue.ts'
import { type Switch, switchOff, switchOn } from './misbehaviour/switches.ts'
import { personalities } from './personalities/index.ts'
import type { Personality } from './personalities/personality.ts'
import { type Make, newBmc, passwordOf, type RackSite, type SimBmc } from './redfish/bmc.ts'
import { linksOf } from './redfish/links.ts'
import { liveSessions } from './redfish/login.ts'
import { neighbourOf } from './redfish/resources/inventory.ts'
import { redfish } from './redfish/service.ts'
import { buildTree } from './redfish/tree.ts'

export interface ServerOrder {
  readonly name: string
  /** The name of a known make, or one of your own. */
  readonly personality?: string | Personality
}

export interface RackOptions {
  readonly clock: Clock
  readonly ids: Ids
  readonly servers: readonly ServerOrder[]
  /** What the machines find outside; nothing answers them without it. */
  readonly world?: BootWorld
  readonly username?: string
  readonly password?: string
  /** How long each call to a BMC takes. */
  readonly latency?: (server: string) => Millis
}

export interface FaultOrder {
  readonly times?: number
  readonly method?: string
  readonly path?: string
  readonly value?: number
}

export interface Counts {
  readonly calls: number
  readonly opened: number
  readonly closed: number
  readonly sessions: number
  /** Those of them that were made with a password that does not count any more. */
  readonly stale: number
  /** Logins with a wrong password, ever. */
  readonly refused: number
}

export type RackEvent = Happening & { readonly server: string; readonly at: number }

/** Simulated servers with their BMCs, in one process. */
export interface Rack {
  readonly servers: readonly string[]
  readonly username: string
  /** The present one: clients may change it. */
  password(server: string): string
  /** Rotates a password behind the clients' backs; sessions stay. */
  setPassword(server: string, password: string): void
  personality(server: string): Personality
  /** A BMC's Redfish service, without a socket. */
  transport(server: string): Transport
  handle(server: string, request: HttpRequest): Promise<HttpResponse>
  /** The host itself, to look behind what its BMC says. */
  machine(server: string): Machine
  /** The Ironic agent that runs at an address, without a socket; nobody answers where none does. */
  agentAt(url: string): Transport
  fault(server: string, fault: FaultName, order?: FaultOrder): void
  heal(server: string, fault?: FaultName): void
  faults(server: string): readonly Switch[]
  counts(server: string): Counts
  /** Whether the BMC has a task that is not finished, whatever it says about it. */
  busy(server: string): boolean
  /** Called with everything that really happens to a machine. */
  onEvent(then: (event: RackEvent) => void): void
}

export function openRack(options: RackOptions): Rack {
  const { clock } = options
  const listeners: ((event: RackEvent) => void)[] = []
  const latency = options.latency
  const site: RackSite = {
    clock,
    ids: options.ids,
    world: options.world,
    username: options.username ?? 'admin',
    password: options.password ?? 'rackwright',
    latency: latency ? bmc => latency(bmc.machine.name) : () => 0,
    tell(server, what) {
      for (const listener of listeners) listener({ ...what, server, at: clock.now() })
    },
  }
  const bmcs = new Map<string, SimBmc>()
  const makes = new Map<Personality, Make>()
  for (const [number, { name, personality }] of options.servers.entries()) {
    if (bmcs.has(name)) throw new Fault('sim/twice', `Cannot build the rack: two servers are called "${name}"`, 'never')
    const make = makeOf(makes, personalityOf(personality ?? 'generic'))
    bmcs.set(name, newBmc(site, make, newMachine({ name, number, site, model: make.personality.machine })))
  }
  const bmcOf = (server: string): SimBmc => {
    const bmc = bmcs.get(server)
    if (!bmc)
      throw new Fault('sim/no-such-server', `Cannot find "${server}" in the rack: it has ${bmcs.size} servers, none of that name`, 'never')
    return bmc
  }
  return {
    servers: [...bmcs.keys()],
    username: site.username,
    password: server => passwordOf(bmcOf(server)),
    setPassword: (server, password) => {
      bmcOf(server).password = password
    },
    personality: server => bmcOf(server).make.personality,
    transport: server => request => redfish(bmcOf(server), request),
    handle: (server, request) => redfish(bmcOf(server), request),
    machine: server => bmcOf(server).machine,
    agentAt: url => async request => {
      const machine = [...bmcs.values()].map(bmc => bmc.machine).find(({ agent }) => agent?.url === url)
      if (!machine) throw new Error(`nobody answers at ${url}`)
      return serveAgent(machine, request)
    },
    fault: (server, fault, order = {}) => misbehave(bmcOf(server), fault, order),
    heal(server, fault) {
      const { machine } = bmcOf(server)
      switchOff(machine, fault)
      if (fault === undefined || fault === 'duplicate-uuid') machine.uuidOf = undefined
    },
    faults: server => bmcOf(server).machine.faults ?? [],
    counts(server) {
      const bmc = bmcOf(server)
      const live = liveSessions(bmc)
      const stale = live.filter(({ password }) => password !== passwordOf(bmc)).length
      return { sessions: live.length, stale, calls: bmc.calls, opened: bmc.opened, closed: bmc.closed, refused: bmc.refused }
    },
    busy: server => bmcOf(server).tasks?.some(({ state }) => state === 'Running') ?? false,
    onEvent: then => void listeners.push(then),
  }
}

function misbehave(bmc: SimBmc, fault: FaultName, { times, method, path, value }: FaultOrder): void {
  const { machine } = bmc
  if (!isFault(fault)) throw new Fault('sim/no-such-fault', `Cannot switch on "${String(fault)}": there is no such fault`, 'never')
  if (fault === 'duplicate-uuid') machine.uuidOf = neighbourOf(machine.number)
  switchOn(machine, {
    fault,
    since: bmc.site.clock.now(),
    ...(times === undefined ? {} : { left: times }),
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { path }),
    ...(value === undefined ? {} : { value }),
  })
}

function personalityOf(wanted: string | Personality): Personality {
  if (typeof wanted !== 'string') return wanted
  const found = personalities.find(({ name }) => name === wanted)
  if (found) return found
  const known = personalities.map(({ name }) => name).join(', ')
  throw new Fault('sim/no-such-make', `Cannot simulate "${wanted}": the makes are ${known}`, 'never')
}

/** One frozen tree per make and rack. */
function makeOf(makes: Map<Personality, Make>, personality: Personality): Make {
  const before = makes.get(personality)
  if (before) return before
  const make: Make = { personality, at: linksOf(personality), tree: buildTree(personality) }
  makes.set(personality, make)
  return make
}
