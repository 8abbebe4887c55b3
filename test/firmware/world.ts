import type { Job } from '../../src/api/batch/job.ts'
import { kinds } from '../../src/api/kinds.ts'
import { type FirmwareSettings, firmwareControllers } from '../../src/controllers/firmware/index.ts'
import { firmwareIndexes } from '../../src/controllers/firmware/indexes.ts'
import { jobs, type ServerBIOS, type ServerFirmware, serverBioses, serverFirmwares } from '../../src/controllers/firmware/resources.ts'
import { metalIndexes } from '../../src/controllers/metal/indexes.ts'
import { type Server, servers } from '../../src/controllers/metal/resources.ts'
import { printInstant } from '../../src/core/instant.ts'
import { jobHost } from '../../src/jobs/host/index.ts'
import { openSweeper } from '../../src/jobs/host/sweep.ts'
import { inProcessExecutor } from '../../src/jobs/in-process.ts'
import type { RunProgram } from '../../src/jobs/run-program.ts'
import { reportedFirmware } from '../../src/policy/firmware/component-match.ts'
import { onlyNamed, type Settings } from '../../src/policy/firmware/settings-diff.ts'
import type { Bmc, BmcPool } from '../../src/ports/bmc.ts'
import type { Clock, Kube, ResourceRef } from '../../src/ports/index.ts'
import type { Controllers } from '../../src/runtime/index.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'

export const ownImage = 'rackwright.dev/rackwright'
export const manager = 'rackwright-system'
const metal = 'metal.ironcore.dev/v1alpha1'
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

export const programs = ['bios-scan', 'bios-version-update', 'bios-settings-update', 'firmware-scan', 'firmware-update']

/** Turns are spread over the period by the UID: in a long one none comes while a test lasts. */
const seldom = 999_999

/** A machine as far as an executor of one's own needs to know it: the contract is all that the controllers see of it. */
export interface PlainMachine {
  version: string
  settings: Settings
  firmware: { name: string; manufacturer: string; version: string }[]
  power: 'On' | 'Off'
  tasks: string[]
  /** How the next runs go: an exit code with words, or for how long it takes. Runs well where nothing is said. */
  script: ({ exit: number; message?: string } | { takes: number } | 'dies')[]
  /** How long a run takes where nothing else is said. */
  lasts?: number
  /** How it spells the version that runs, where not as it was wished. */
  spells?: (version: string) => string
  /** Scans go well: the script is for the other programs. */
  scansWell?: boolean
  /** A program that it never takes. */
  refuses?: string
  /** Programs that were run for it. */
  readonly ran: string[]
}

export const plainMachine = (): PlainMachine => ({
  version: '1.0.0',
  settings: {},
  firmware: [],
  power: 'Off',
  tasks: [],
  script: [],
  ran: [],
})

export interface FirmwareWorld extends TestWorld {
  readonly machines: Map<string, PlainMachine>
  readonly running: Controllers
  server(name: string, spec?: object, status?: object): Promise<PlainMachine>
  serverNow(name: string): Promise<Server>
  bios(name: string, server: string, bios?: object, more?: object, labels?: Readonly<Record<string, string>>): Promise<void>
  firmware(name: string, server: string, firmwares?: readonly object[]): Promise<void>
  biosNow(name: string): Promise<ServerBIOS>
  firmwareNow(name: string): Promise<ServerFirmware>
  jobsNow(): Promise<readonly Job[]>
  passes(ms: number): Promise<void>
  stop(): Promise<void>
}

/** The controllers, the embedded API and its Job host in virtual time, with an executor of the test's own behind the documented contract. */
export async function firmwareWorld(
  settings: Partial<FirmwareSettings> = {},
  options: { readonly host?: boolean } = {},
): Promise<FirmwareWorld> {
  const world = await testWorld(kinds)
  const { kube, clock } = world
  const machines = new Map<string, PlainMachine>()
  const executor = inProcessExecutor(executorOf({ kube: world.controllersKube, clock }, machines))
  const sweeper = openSweeper(kube, clock, executor)
  const running = world.controllers({ indexes: [...metalIndexes, ...firmwareIndexes] })
  const made = firmwareControllers({ pool: poolOf(machines), namespace: manager, jobImage: ownImage, ...settings })
  running.add(made.bios)
  running.add(made.firmware)
  running.add(made.biosSets)
  running.add(made.firmwareSets)
  const hosting = world.controllers()
  if (options.host !== false)
    hosting.add(own =>
      jobHost({ kube: own, executor, images: [ownImage, 'acme/jobs:1'], programs, token: async () => 'token', started: sweeper.started }),
    )
  for (const name of [manager, 'elsewhere'])
    if (!(await kube.find(namespaces, { name }))) await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  running.start()
  hosting.start()
  await clock.settle()
  return {
    ...world,
    machines,
    running,
    async server(name, spec = {}, status = {}) {
      const machine = plainMachine()
      machines.set(name, machine)
      await kube.create(servers, {
        apiVersion: metal,
        kind: 'Server',
        metadata: { name },
        spec: { systemUUID: name, bmcRef: { name }, ...spec },
      } as unknown as Server)
      const now = { state: 'Available', powerState: 'Off', manufacturer: 'ACME', ...status }
      await kube.patch(servers, { name }, { merge: { status: now } }, { subresource: 'status' })
      return machine
    },
    serverNow: name => kube.get(servers, { name }),
    async bios(name, server, bios = {}, more = {}, labels = {}) {
      const spec = { scanPeriodMinutes: seldom, serverRef: { name: server }, bios, ...more }
      const metadata = { name, labels }
      await kube.create(serverBioses, { apiVersion: metal, kind: 'ServerBIOS', metadata, spec } as unknown as ServerBIOS)
      await clock.settle()
    },
    async firmware(name, server, firmwares = []) {
      const spec = { scanPeriodMinutes: seldom, serverRef: { name: server }, firmwares }
      await kube.create(serverFirmwares, {
        apiVersion: metal,
        kind: 'ServerFirmware',
        metadata: { name },
        spec,
      } as unknown as ServerFirmware)
      await clock.settle()
    },
    biosNow: name => kube.get(serverBioses, { name }),
    firmwareNow: name => kube.get(serverFirmwares, { name }),
    jobsNow: async () => (await kube.list(jobs)).items,
    passes: ms => clock.advance(ms),
    async stop() {
      sweeper.close()
      const ended = running.stop().then(() => hosting.stop())
      await clock.advance(1_000)
      await ended
      await world.close()
    },
  }
}

/** An executor that somebody else could have written: it knows the contract and its machines, nothing else. */
export function executorOf(
  { kube, clock }: { readonly kube: Kube; readonly clock: Clock },
  machines: ReadonlyMap<string, PlainMachine>,
): RunProgram {
  return async ({ program, env, name }, { signal }) => {
    const of = env['RACKWRIGHT_TARGET_KIND'] === 'ServerBIOS' ? serverBioses : serverFirmwares
    const key = { name: env['RACKWRIGHT_TARGET_NAME'] ?? '' }
    const target = (await kube.get<ServerBIOS | ServerFirmware>(of as ResourceRef<ServerBIOS>, key)) as ServerBIOS & ServerFirmware
    const machine = machines.get(target.spec.serverRef.name)
    if (!machine) return 1
    machine.ran.push(program)
    const scripted = machine.scansWell && program.endsWith('-scan') ? undefined : () => machine.script.shift()
    const next = machine.refuses === program ? { exit: 2, message: 'it does not fit this machine' } : scripted?.()
    if (next === 'dies') return 137
    const takes = next && 'takes' in next ? next.takes : machine.lasts
    if (takes !== undefined) await clock.sleep(takes, signal)
    const exit = next && 'exit' in next ? next.exit : 0
    if (exit === 0) work(program, machine, target)
    const outcome = (['Succeeded', 'Failed', 'Refused', 'Stopped'] as const)[exit] ?? 'Failed'
    const message = next && 'exit' in next ? next.message : undefined
    const lastJob = { name, program, outcome, message: message ?? null, generation: target.metadata.generation }
    const found =
      exit !== 0
        ? {}
        : target.kind === 'ServerBIOS'
          ? {
              bios: {
                version: machine.spells?.(machine.version) ?? machine.version,
                settings: onlyNamed(machine.settings, target.spec.bios.settings),
              },
            }
          : { firmwares: reportedFirmware(target.spec.firmwares, machine.firmware) }
    const scanned = exit === 0 && program.endsWith('-scan') ? { lastScanTime: printInstant(clock.now()) } : {}
    const fresh = await kube.get(of as ResourceRef<ServerBIOS>, key)
    const ended = exit === 1 || fresh.status?.runningJob?.name !== name ? {} : { runningJob: null }
    await kube.patch(
      of as ResourceRef<ServerBIOS>,
      key,
      { merge: { metadata: { resourceVersion: fresh.metadata.resourceVersion }, status: { ...found, ...scanned, ...ended, lastJob } } },
      { subresource: 'status' },
    )
    return exit
  }
}

function work(program: string, machine: PlainMachine, { spec }: ServerBIOS & ServerFirmware): void {
  if (program === 'bios-version-update') machine.version = spec.bios.version ?? machine.version
  if (program === 'bios-settings-update') machine.settings = { ...machine.settings, ...spec.bios.settings }
  if (program === 'firmware-update')
    machine.firmware = machine.firmware.map(one => spec.firmwares.find(({ name }) => name === one.name) ?? one)
}

export const poolOf = (machines: ReadonlyMap<string, PlainMachine>): BmcPool => ({
  use: (name, look) => {
    const machine = machines.get(name)!
    return look({
      power: { state: async () => machine.power },
      firmware: { running: async () => machine.tasks },
    } as unknown as Bmc)
  },
  forget: async () => {},
  close: async () => {},
})
