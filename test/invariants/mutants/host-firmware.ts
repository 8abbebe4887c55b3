import type { EngineMemory, Provisioner, Turn } from '../../../src/ports/provisioner.ts'
import type { There } from '../../../src/provisioner/direct/sight.ts'
import type { HostFirmwareMutant, HostFirmwareStory } from './mutant.ts'

const engine = (shows: HostFirmwareStory, name: string, bad: string, other: (direct: Provisioner) => Provisioner): HostFirmwareMutant => ({
  name,
  bad,
  shows,
  hostFirmware: { engine: other },
})

/** Sees the firmware of a machine otherwise than it is. */
const seeing = (
  shows: HostFirmwareStory,
  name: string,
  bad: string,
  otherwise: (look: NonNullable<There['firmware']>, memory: EngineMemory | undefined) => NonNullable<There['firmware']>,
): HostFirmwareMutant =>
  engine(shows, name, bad, direct => ({
    ...direct,
    async look(host, work, memory, signal) {
      const sight = (await direct.look(host, work, memory, signal)) as There
      return sight.firmware ? { ...sight, firmware: otherwise(sight.firmware, memory) } : sight
    },
  }))

const judging = (
  shows: HostFirmwareStory,
  name: string,
  bad: string,
  otherwise: (turn: Turn, memory: EngineMemory) => Turn,
): HostFirmwareMutant =>
  engine(shows, name, bad, direct => ({
    ...direct,
    judge(host, work, memory, sight, now) {
      const turn = direct.judge(host, work, memory, sight, now)
      return memory?.work === work ? otherwise(turn, memory) : turn
    },
  }))

/** Mistakes that somebody could make about the firmware of hosts. */
export const hostFirmwareMutants: readonly HostFirmwareMutant[] = [
  seeing(
    'setsBeforeUse',
    'settings of a host taken for set while they are pending',
    'a host is used with settings that it does not have',
    look => ({
      ...look,
      settings: { ...look.settings, ...look.pending },
      pending: {},
    }),
  ),
  seeing(
    'servicedAtRestart',
    'an update of a host taken for done without reading it back',
    'a version is told that nobody runs',
    (look, memory) => ({
      ...look,
      running: [],
      task: memory?.update ? { state: 'Succeeded' } : look.task,
      components: look.components.map(one => (one.component === memory?.update?.component ? { ...one, version: '2.4.1' } : one)),
    }),
  ),
  judging('servicedAtRestart', 'a host switched while its firmware is written', 'the machine never starts again', (turn, memory) =>
    turn.is === 'progress' && turn.does === undefined && memory.update !== undefined && memory.step === 'update'
      ? { ...turn, does: { do: 'switchOn' }, memory: { ...memory, step: 'switchOn' } }
      : turn,
  ),
  {
    name: 'firmware of a host changed on the word of a cache',
    bad: 'what nobody wants any more is written all the same',
    shows: 'setsBeforeUse',
    hostFirmware: { remake: right => ({ ...right, entitledBy: () => [] }) },
  },
  {
    name: 'settings of a host that nobody noted',
    bad: 'they stay pending when nobody wants them any more',
    shows: 'setsBeforeUse',
    hostFirmware: {
      remake: right => ({
        ...right,
        decide(seen, now) {
          const plan = right.decide(seen, now)
          const noted = plan.status['engine']
          return noted === undefined ? plan : { ...plan, status: { ...plan.status, engine: { ...noted, asked: null } } }
        },
      }),
    },
  },
]
