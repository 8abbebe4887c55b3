import type { Plan } from '../../../src/core/plan.ts'
import { act, release } from '../../../src/core/plan.ts'
import type { EngineStep, Turn } from '../../../src/ports/provisioner.ts'
import type { HostReconciler } from '../../scenarios/metal3/setting.ts'
import type { HostMutant, HostStory } from './mutant.ts'

type Seen = Parameters<HostReconciler['decide']>[0]
type HostPlan = ReturnType<HostReconciler['decide']>

export const controller = (shows: HostStory, name: string, bad: string, remake: (right: HostReconciler) => HostReconciler): HostMutant => ({
  name,
  bad,
  shows,
  host: { remake },
})
export const doing = (shows: HostStory, name: string, bad: string, otherwise: (plan: HostPlan, seen: Seen) => HostPlan): HostMutant =>
  controller(shows, name, bad, right => ({ ...right, decide: (seen, now) => otherwise(right.decide(seen, now), seen) }))
/** Judges otherwise than the direct engine. */
export const judging = (shows: HostStory, name: string, bad: string, otherwise: (turn: Turn, work: string) => Turn): HostMutant => ({
  name,
  bad,
  shows,
  host: {
    engine: direct => ({
      ...direct,
      judge: (host, work, memory, sight, now) => otherwise(direct.judge(host, work, memory, sight, now), work),
    }),
  },
})
const swapped = (turn: Turn, from: string, does: EngineStep): Turn =>
  turn.is === 'progress' && turn.does?.do === from
    ? { ...turn, does, ...(turn.memory ? { memory: { ...turn.memory, step: does.do } } : {}) }
    : turn
const without = <P extends Plan>({ status: { engine: _, ...status }, ...plan }: P): P => ({ ...plan, status }) as unknown as P

/** Mistakes that somebody could make in the controller of hosts and in its engine. */
export const hostMutants: readonly HostMutant[] = [
  doing('livesFromDisc', 'steps of a host that nobody noted', 'a crash leaves a machine half installed, and nobody knows how far', without),
  controller('livesFromDisc', 'a host touched on the word of a cache', 'one that was deleted or paused meanwhile is switched', right => ({
    ...right,
    perform: { ...right.perform, engine: { run: right.perform.engine.run } },
  })),
  judging('livesFromDisc', 'a host switched on before its disc is armed', 'it boots whatever its BIOS finds', turn =>
    swapped(turn, 'bootFrom', { do: 'switchOn' }),
  ),
  judging('hostGoes', 'a disc taken from a host that runs', 'its root is gone under it', turn =>
    turn.is === 'progress' && turn.does?.do === 'switchOff' ? { is: 'done', because: 'it is off, as good as' } : turn,
  ),
  judging('hostGoes', 'a disc left in the drive of a host that goes', 'the next owner’s machine boots it', turn =>
    turn.is === 'progress' && turn.does?.do === 'eject' ? { is: 'done', because: 'it will not matter' } : turn,
  ),
  judging('installedByAgent', 'the ramdisk’s disc left in after an installation', 'the next restart boots it', turn =>
    turn.is === 'progress' && turn.does?.do === 'eject' ? { is: 'done', because: 'it will not matter' } : turn,
  ),
  judging('installedByAgent', 'an installed host started without its disk as the boot device', 'it boots whatever its BIOS finds', turn =>
    turn.is === 'progress' && turn.does?.do === 'bootFrom' ? swapped(turn, 'bootFrom', { do: 'switchOn' }) : turn,
  ),
  doing('hostGoes', 'a host let go while its machine runs', 'nobody can switch it off any more', (plan, seen) =>
    seen.host.deleting ? act('it goes', [release]) : plan,
  ),
  {
    ...doing(
      'livesFromDisc',
      'a provisioned host given back because its controller is silent',
      'a time-out wipes a running system',
      (plan, seen) =>
        seen.turn?.is === 'busy' && seen.host.standing.phase === 'provisioned'
          ? { ...plan, status: { provisioning: { state: 'deprovisioning' } } }
          : plan,
    ),
    looks: ['fails'],
  },
]
