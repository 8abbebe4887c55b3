import { type Motor, type Valve, valveController, valveKind, valves } from '../../../examples/controller/valve.ts'
import { crdOf } from '../../../src/api/crd.ts'
import { type Millis, minutes } from '../../../src/core/duration.ts'
import { openControllers } from '../../../src/runtime/index.ts'
import type { Sight } from '../../../src/sim/invariant.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import type { Stage } from '../../../src/sim/stage.ts'
import type { Setting } from '../../../src/sim/story.ts'
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
    isGone: (within: Millis) => stage.reach(within, `${name} is gone`, sight => valveNamed(sight, name) === undefined),
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

export function valveProgram(
  ports: ProcessPorts,
  { port }: Motors,
  lease?: { readonly namespace: string; readonly name: string },
): Running {
  const { kube, clock, ids, log, identity } = ports
  const controllers = openControllers({ kube, clock, ids, log, identity, ...(lease ? { lease } : {}) })
  const motor = ports.device('motor', port, ['read'])
  controllers.add(() => valveController({ motor }))
  controllers.start()
  return {
    stop: () => controllers.stop(),
    busy: () => (controllers.settled() ? undefined : `controllers are at work: ${JSON.stringify(controllers.activity())}`),
  }
}

export const valveSetting: Setting<Motors, ReturnType<typeof valveWords>> = {
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
  together: true,
}

/** The same with the API server apart, and a Lease that says who acts. */
export const twoValveProcesses: typeof valveSetting = {
  ...valveSetting,
  program: (ports, devices) => valveProgram(ports, devices, { namespace: 'rackwright-system', name: 'valves' }),
  together: false,
  // Two processes that renew and look at a Lease make each minute dear; none of their waits is longer than this.
  rest: minutes(2),
}
