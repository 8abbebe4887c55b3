import { crdOf } from '../../../src/api/crd.ts'
import { kinds } from '../../../src/api/kinds.ts'
import { firmwareControllers } from '../../../src/controllers/firmware/index.ts'
import { firmwareIndexes } from '../../../src/controllers/firmware/indexes.ts'
import { type ServerBIOSSet, serverBioses, serverBiosSets } from '../../../src/controllers/firmware/resources.ts'
import { metalIndexes } from '../../../src/controllers/metal/indexes.ts'
import { type Server, servers } from '../../../src/controllers/metal/resources.ts'
import { minutes } from '../../../src/core/duration.ts'
import type { KubeObject } from '../../../src/core/object.ts'
import { jobHost } from '../../../src/jobs/host/index.ts'
import { openSweeper } from '../../../src/jobs/host/sweep.ts'
import { inProcessExecutor } from '../../../src/jobs/in-process.ts'
import type { NewObject, ResourceRef } from '../../../src/ports/index.ts'
import { openControllers } from '../../../src/runtime/index.ts'
import type { Invariant } from '../../../src/sim/invariant.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import { type Setting, scenarios } from '../../../src/sim/story.ts'
import { executorOf, manager, ownImage, type PlainMachine, plainMachine, poolOf, programs } from '../../firmware/world.ts'
import { followed } from '../followed.ts'

type Machines = ReadonlyMap<string, PlainMachine>
export type FleetReconciler = ReturnType<ReturnType<typeof firmwareControllers>['biosSets']>

const metal = 'metal.ironcore.dev/v1alpha1'
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const wanted = '2.0.0'
/** Whichever goes first does not take it. */
const names = ['s1', 's2'] as const

export interface RolloutOptions {
  /** For mutants. */
  remakeSet?(controller: FleetReconciler): FleetReconciler
}

/** A set, its objects, and jobs that work as their contract says, on machines that know nothing else. */
export function rolloutProgram(ports: ProcessPorts, machines: Machines, { remakeSet = one => one }: RolloutOptions = {}): Running {
  const { kube, clock, ids, log, identity } = ports
  const executor = inProcessExecutor(executorOf({ kube, clock }, machines))
  const sweeper = openSweeper(kube, clock, executor)
  const controllers = openControllers({ kube, clock, ids, log, identity, indexes: [...metalIndexes, ...firmwareIndexes] })
  const made = firmwareControllers({ pool: poolOf(machines), namespace: manager, jobImage: ownImage })
  controllers.add(made.bios)
  controllers.add(own => remakeSet(made.biosSets(own)))
  controllers.add(own =>
    jobHost({ kube: own, executor, images: [ownImage], programs, token: async () => 'token', started: sweeper.started }),
  )
  controllers.start()
  const running = followed(controllers)
  return {
    ...running,
    async stop() {
      sweeper.close()
      await running.stop()
    },
  }
}

const onlyTheFirst: Invariant<Machines> = {
  name: 'I21 nobody but the one that goes first is changed before that one is as wanted',
  begin: sight => () => {
    const told = sight.objects(serverBioses).filter(({ spec }) => spec.bios.version !== undefined)
    return told.length > 1 ? `${told.map(({ spec }) => spec.serverRef.name).join()} were told to` : undefined
  },
}

const fewAtOnce: Invariant<Machines> = {
  name: 'I21 no more servers are in the hands of jobs than there are places',
  begin: sight => () => {
    const held = sight.objects(servers).filter(({ spec }) => spec.updateRef !== undefined)
    return held.length > 1 ? held.map(({ metadata }) => metadata.name).join() : undefined
  },
}

const rolloutWords = (stage: Stage<Machines>) => {
  const create = <T extends KubeObject>(of: ResourceRef<T>, object: object): Promise<void> =>
    stage.asUser(async kube => {
      const { name } = (object as KubeObject).metadata
      if (!(await kube.find(of, { name }))) await kube.create(of, object as NewObject<T>)
    })
  return {
    async fleet(): Promise<void> {
      await create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: manager } })
      for (const name of names) {
        const metadata = { name, labels: { model: 'x' } }
        await create<Server>(servers, { apiVersion: metal, kind: 'Server', metadata, spec: { systemUUID: name, bmcRef: { name } } })
        const status = { state: 'Available', powerState: 'Off', manufacturer: 'ACME', model: 'x' }
        await stage.asUser(kube => kube.patch(servers, { name }, { merge: { status } }, { subresource: 'status' }))
      }
      for (const machine of stage.devices.values()) machine.refuses = 'bios-version-update'
    },
    wishes: () =>
      create<ServerBIOSSet>(serverBiosSets, {
        apiVersion: metal,
        kind: 'ServerBIOSSet',
        metadata: { name: 'all' },
        spec: {
          serverSelector: { matchLabels: { model: 'x' } },
          rollout: { canary: 1, maxUnavailable: 1, pauseAfterFailures: 1 },
          template: { spec: { scanPeriodMinutes: 999_999, bios: { version: wanted } } },
        },
      }),
  }
}

export const rolloutSetting: Setting<Machines, ReturnType<typeof rolloutWords>> = {
  crds: kinds.map(crdOf) as readonly KubeObject[],
  devices: () => new Map(names.map(name => [name, plainMachine()])),
  program: (ports, machines) => rolloutProgram(ports, machines),
  invariants: [onlyTheFirst, fewAtOnce],
  end: sight => ({
    sets: sight.objects(serverBiosSets).map(({ status }) => {
      const { phase, selected, inSync, failed, canaries, paused } = status ?? {}
      return { phase, selected, inSync, failed, canaries: canaries?.length, because: paused?.reason.replace(/^s\d/, 'it') }
    }),
    told: sight.objects(serverBioses).filter(({ spec }) => spec.bios.version !== undefined).length,
    found: sight.objects(serverBioses).map(({ status }) => status?.bios?.version),
    held: sight.objects(servers).filter(({ spec }) => spec.updateRef !== undefined).length,
    machines: [...sight.devices.values()].map(({ version }) => version),
  }),
  words: rolloutWords,
  without: ['recreated'],
  together: true,
}

export const stopsRollout = scenarios(rolloutSetting)(
  'a rollout stops at the first server that does not take it',
  async ({ when, then, fleet, wishes }) => {
    await fleet()
    await wishes()
    await when.passes(minutes(1))
    await then.within(minutes(60)).sees('it is paused', sight => sight.objects(serverBiosSets)[0]?.status?.phase === 'Paused')
    // So long that Jobs which are over are cleared away.
    await when.passes(minutes(70))
  },
)
