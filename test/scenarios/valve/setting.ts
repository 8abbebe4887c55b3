import { type Motor, type Valve, valveController, valveKind, valves } from '../../../examples/controller/valve.ts'
import { crdOf } from '../../../src/api/crd.ts'
import { type Millis, minutes, seconds } from '../../../src/core/duration.ts'
import type { Clock, Kube } from '../../../src/ports/index.ts'
import { type LeaseOptions, openControllers } from '../../../src/runtime/index.ts'
import type { Sight } from '../../../src/sim/invariant.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import type { Setting } from '../../../src/sim/story.ts'
import { followed } from '../followed.ts'
import { insist } from '../insist.ts'
import { valveInvariants } from './invariants.ts'
import { motorPort, type SimulatedMotor, simulatedMotor } from './motor.ts'
import { normal } from './normal.ts'

export interface Motors {
  readonly motors: ReadonlyMap<string, SimulatedMotor>
  readonly port: Motor
}

type Position = 'Open' | 'Closed'

/** Words for stories about valves. */
const valveWords = (stage: Stage<Motors>) => {
  const valve = (name: string) => ({
    /** It says so, and it is so. */
    is: (position: Position, within: Millis) =>
      stage.reach(within, `${name} is ${position}`, sight => {
        const found = valveNamed(sight, name)
        return found?.status?.phase === position && motorOf(sight, name).reading.position === position
      }),
    moves: (within: Millis) => stage.reach(within, `${name} moves`, sight => motorOf(sight, name).owed > 0),
    isGoneAndClosed: (within: Millis) =>
      stage.reach(
        within,
        `${name} is gone and closed`,
        sight => valveNamed(sight, name) === undefined && motorOf(sight, name).reading.position === 'Closed',
      ),
  })
  return {
    valve,
    /** Somebody turns it by hand. */
    turnByHand: (name: string): void => stage.devices.motors.get(`motor-${name}`)?.turn(),
  }
}

const valveNamed = (sight: Sight<Motors>, name: string): Valve | undefined =>
  sight.objects(valves).find(({ metadata }) => metadata.name === name)
const motorOf = (sight: Sight<Motors>, name: string): SimulatedMotor => sight.devices.motors.get(`motor-${name}`)!

export const valveNames = ['garden', 'pond'] as const

type ValveReconciler = ReturnType<typeof valveController>

export interface ProgramOptions {
  readonly lease?: LeaseOptions | undefined
  /** For mutants: the controller as somebody might have written it. */
  remake?(controller: ValveReconciler, motor: Motor): ValveReconciler
}

export function valveProgram(ports: ProcessPorts, { port }: Motors, { lease, remake }: ProgramOptions = {}): Running {
  const { kube, clock, ids, log, identity } = ports
  const controllers = openControllers({ kube, clock, ids, log, identity, ...(lease ? { lease } : {}) })
  const motor = ports.device('motor', port, ['read'])
  const controller = valveController({ motor })
  controllers.add(() => remake?.(controller, motor) ?? controller)
  controllers.start()
  return followed(controllers)
}

export const valvesLease: LeaseOptions = { namespace: 'rackwright-system', name: 'valves' }

const other = { Open: 'Closed', Closed: 'Open' } as const

/** Says that what is wanted now is not what the story wants. */
const meddled = 'sim.rackwright.dev/meddled'

/** For twenty seconds somebody wants the garden's valve the other way round. One at a time: two would not know what to go back to. */
async function wantsItOtherwise(user: Kube, clock: Clock): Promise<void> {
  const key = { name: 'garden', namespace: 'default' }
  const wish = async (position: Position, mark: string | null): Promise<void> => {
    const found = await user.find(valves, key)
    if (!found || found.metadata.deletionTimestamp !== undefined) return
    await user.patch(valves, key, { merge: { metadata: { annotations: { [meddled]: mark } }, spec: { position } } })
  }
  const before = await user.find(valves, key).catch(() => undefined)
  if (!before || before.metadata.annotations?.[meddled] !== undefined) return
  clock.after(seconds(20), () => void insist(clock, () => wish(before.spec.position, null)))
  await wish(other[before.spec.position], 'true').catch(() => {})
}

export type ValveWords = ReturnType<typeof valveWords>

export const valveSetting: Setting<Motors, ValveWords> = {
  crds: [crdOf(valveKind)],
  devices({ clock }) {
    const motors = new Map(valveNames.map(name => [`motor-${name}`, simulatedMotor(clock)]))
    return { motors, port: motorPort(motors) }
  },
  program: (ports, devices) => valveProgram(ports, devices),
  invariants: valveInvariants,
  end: sight => ({
    valves: sight.objects(valves).map(normal),
    motors: [...sight.devices.motors].map(([address, { reading, owed }]) => ({ address, position: reading.position, owed })),
  }),
  words: valveWords,
  meddle: wantsItOtherwise,
  together: true,
}

/** The same, where the story itself says what is wanted when: nobody else does. */
export const { meddle: _, ...undisturbed } = valveSetting

/** The same with the API server apart, and a Lease that says who acts. */
export const twoValveProcesses: typeof valveSetting = {
  ...valveSetting,
  program: (ports, devices) => valveProgram(ports, devices, { lease: valvesLease }),
  together: false,
  // Two processes that renew and look at a Lease make each minute dear; none of their waits is longer than this.
  rest: minutes(2),
}
