import type { Turn } from '../../../src/ports/provisioner.ts'
import type { HostProgramOptions } from '../../scenarios/metal3/setting.ts'
import type { RaidMutant } from './mutant.ts'

const mutant = (name: string, bad: string, raid: HostProgramOptions): RaidMutant => ({ name, bad, raid })
const judging = (name: string, bad: string, otherwise: (turn: Turn, work: string) => Turn): RaidMutant =>
  mutant(name, bad, {
    engine: direct => ({
      ...direct,
      judge: (host, work, memory, sight, now) => otherwise(direct.judge(host, work, memory, sight, now), work),
    }),
  })

/** Mistakes that somebody could make about volumes. */
export const raidMutants: readonly RaidMutant[] = [
  mutant('volumes that are noted before they are made', 'a host that failed half-way is taken for one that has them', {
    remake: right => ({
      ...right,
      decide(seen, now) {
        const plan = right.decide(seen, now)
        return seen.host.standing.phase === 'preparing' && seen.host.spec?.raid
          ? { ...plan, status: { ...plan.status, provisioning: { ...(plan.status['provisioning'] as object), raid: seen.host.spec.raid } } }
          : plan
      },
    }),
  }),
  judging('a machine that is switched while its volumes are made', 'its disks are left half written', (turn, work) =>
    work === 'prepare' && turn.is === 'progress' && turn.because.startsWith('its agent does raid.create') && !turn.does
      ? { ...turn, does: { do: 'switchOff', how: 'forced' }, ...(turn.memory ? {} : { memory: undefined as never }) }
      : turn,
  ),
  judging('a host that is available before its volumes are made', 'what is installed goes onto a single disk', (turn, work) =>
    work === 'prepare' && turn.is === 'progress' && turn.does?.do === 'command' ? { is: 'done', because: 'it is being made' } : turn,
  ),
  judging('a ramdisk left running after volumes were made', 'whoever reaches it commands the machine', (turn, work) =>
    work === 'prepare' && turn.is === 'progress' && turn.because.includes('has done everything')
      ? { is: 'done', because: 'it is prepared' }
      : turn,
  ),
]
