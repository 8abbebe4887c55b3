import { printInstant } from '../../../src/core/instant.ts'
import type { BmcAccess } from '../../../src/ports/bmc.ts'
import { silent } from '../../../src/ports/index.ts'
import type { Provisioner } from '../../../src/ports/provisioner.ts'
import { bmcPool } from '../../../src/redfish/index.ts'
import { uuidOf } from '../../../src/sim/machine/identity.ts'
import type { HostProgramOptions } from '../../scenarios/metal3/setting.ts'
import { controller, judging } from './hosts.ts'
import type { HostMutant, HostStory } from './mutant.ts'

const engine = (shows: HostStory, name: string, bad: string, other: (right: Provisioner) => Partial<Provisioner>): HostMutant => ({
  name,
  bad,
  shows,
  host: { engine: right => ({ ...right, ...other(right) }) },
})
const pool = (shows: HostStory, name: string, bad: string, other: NonNullable<HostProgramOptions['pool']>): HostMutant => ({
  name,
  bad,
  shows,
  host: { pool: other },
})
const access = (shows: HostStory, name: string, bad: string, other: (right: BmcAccess) => BmcAccess): HostMutant => ({
  name,
  bad,
  shows,
  host: { access: other },
})
/** Another one each time; the first is right, so that there is something to lose. */
function guessing(): (right: BmcAccess) => BmcAccess {
  let guesses = 0
  return right => ({
    ...right,
    credentials: async () => ({
      ...(await right.credentials()),
      ...(guesses++ > 0 ? { password: `guess ${guesses}` } : {}),
    }),
  })
}
/** By what it must be caught: an invariant, not some other trouble that it makes. */
const by = (invariant: string, mutant: HostMutant): HostMutant => ({ ...mutant, by: invariant })

/** Mistakes that somebody could make about hosts whose state is not sure, or is as it should be. */
export const sureHostMutants: readonly HostMutant[] = [
  by(
    'I9 ',
    engine('notSure', 'a host switched while its firmware is written', 'a machine that never starts again', right => ({
      look: async (...asked) => ({ ...((await right.look(...asked)) as object), jobs: 0 }),
    })),
  ),
  by(
    'I20 ',
    pool('notSure', 'whoever answers is taken for the host’s machine', 'somebody else’s machine is switched off', right => ({
      ...right,
      use: (name, work, signal) =>
        right.use(name, bmc => work({ ...bmc, glance: async stop => ({ ...(await bmc.glance(stop)), uuid: uuidOf(0) }) }), signal),
    })),
  ),
  by(
    'I19 what a process asks',
    access('rotatedMeanwhile', 'a session that outlives its password', 'who was locked out by a rotation still acts', right => ({
      ...right,
      // Without the revision of its Secret nobody sees that there is another password.
      revision: 'always the same',
    })),
  ),
  {
    ...by(
      'I19 a host’s password',
      access('rotatedMeanwhile', 'a host’s password guessed again and again', 'the account is locked, for people too', guessing()),
    ),
    // It shows at once, but its story has no end: the daily run has the time for that.
    looks: ['fails'],
  },
  by(
    'I26 ',
    controller(
      'inspectedAgain',
      'the time written down at each look',
      'each minute of each host is a write that all watchers hear of',
      right => {
        // For a while: a story that never comes to rest takes long.
        let looks = 0
        return {
          ...right,
          decide(seen, now) {
            const plan = right.decide(seen, now)
            const wrong = seen.host.standing.phase === 'available' && looks++ < 12
            return wrong ? { ...plan, status: { ...plan.status, lastUpdated: printInstant(now) } } : plan
          },
        }
      },
    ),
  ),
  by(
    'I12 ',
    engine('givenBack', 'a host given back without its disks being cleaned', 'the next one reads what was left there', right => ({
      judge: (host, ...rest) => right.judge({ ...host, cleaning: 'disabled' }, ...rest),
    })),
  ),
  by(
    'I8 ',
    judging('givenBack', 'the power of a host cut at once', 'a file system is damaged', turn =>
      turn.is === 'progress' && turn.does?.do === 'switchOff' ? { ...turn, does: { ...turn.does, how: 'forced' } } : turn,
    ),
  ),
  by(
    'I24 ',
    controller(
      'goesDetached',
      'a host whose deletion counts more than its being detached',
      'a machine that somebody else runs is switched off',
      right => ({
        ...right,
        observe({ metadata, ...host }, look) {
          const { 'baremetalhost.metal3.io/detached': _, ...others } = metadata.annotations ?? {}
          const annotations = metadata.deletionTimestamp === undefined ? metadata.annotations : others
          return right.observe({ ...host, metadata: { ...metadata, ...(annotations ? { annotations } : {}) } }, look)
        },
      }),
    ),
  ),
  by(
    'I25 a host is provisioned',
    judging(
      'livesFromDisc',
      'a host called provisioned before its machine is on',
      'whoever waits for it finds nobody there',
      (turn, work) =>
        work === 'deploy' && turn.is === 'progress' && turn.does?.do === 'switchOn' ? { is: 'done', because: 'it will come on' } : turn,
    ),
  ),
  by(
    'I18 a machine is started',
    judging('livesFromDisc', 'a host started over and over', 'a system never comes up', (turn, work) =>
      work === 'powerOn' && turn.is === 'done'
        ? {
            is: 'progress',
            because: 'just to be sure',
            again: 30_000,
            does: { do: 'restart', how: 'forced' },
            memory: { work, attempt: 9, step: 'restart', since: printInstant(0) },
          }
        : turn,
    ),
  ),
  by(
    'I17 a management controller has two sessions',
    pool('inspectedAgain', 'a login for each look at a host', 'the controller has no room for people', (right, lab, clock) => ({
      ...right,
      use: (name, work, signal) =>
        right.use(
          name,
          async bmc => {
            const other = bmcPool({ clock, log: silent, access: async () => lab.access!, transport: () => lab.rack.transport('srv-1') })
            await other.use(name, ({ power }) => power.state(signal), signal)
            return work(bmc)
          },
          signal,
        ),
    })),
  ),
]
