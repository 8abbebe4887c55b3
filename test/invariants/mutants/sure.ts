import type { Glance } from '../../../src/ports/bmc.ts'
import { silent } from '../../../src/ports/index.ts'
import { bmcPool } from '../../../src/redfish/index.ts'
import { uuidOf } from '../../../src/sim/machine/identity.ts'
import type { MetalProgramOptions } from '../../scenarios/metal/program.ts'
import { seeing } from './metal.ts'
import type { MetalMutant, MetalStory } from './mutant.ts'

const pool = (shows: MetalStory, name: string, bad: string, remakePool: NonNullable<MetalProgramOptions['remakePool']>): MetalMutant => ({
  name,
  bad,
  shows,
  metal: { remakePool },
})

/** Mistakes that somebody could make about what is not sure. */
export const sureMutants: readonly MetalMutant[] = [
  {
    shows: 'claimed',
    name: 'bytes that nobody looked at',
    bad: 'a machine runs what a registry, or somebody on the way, made of an image',
    metal: {},
    lab: { unverified: true },
  },
  pool('claimed', 'a password guessed again and again', 'the account is locked, for people too', (_, { rack }, clock) => {
    let guesses = 0
    return bmcPool({
      clock,
      log: silent,
      access: async name => ({
        address: `https://${name}`,
        tls: { trust: 'System' },
        credentials: async () => ({ username: rack.username, password: `guess ${guesses++}` }),
      }),
      transport: ({ address }) => rack.transport(new URL(address).hostname),
    })
  }),
  pool('leftAlone', 'whoever answers is taken for the right one', 'somebody else’s machine is switched off', right => {
    const uuid = uuidOf(0)
    return {
      ...right,
      use: (server, work, signal) =>
        right.use(
          server,
          bmc =>
            work({
              ...bmc,
              identity: { ...bmc.identity, uuid },
              glance: async (stop): Promise<Glance> => ({ ...(await bmc.glance(stop)), uuid }),
            }),
          signal,
        ),
    }
  }),
  seeing('leftAlone', 'an annotation that nobody reads', 'a machine that somebody has in his hands is switched', seen =>
    seen.server.operation === 'ignore' ? { ...seen, server: { ...seen.server, operation: undefined } } : seen,
  ),
  seeing('leftAlone', 'what nobody understands taken for on', 'a machine in an unknown state is switched', seen =>
    seen.machine.is === 'there' && seen.machine.power === 'Unknown' ? { ...seen, machine: { ...seen.machine, power: 'On' } } : seen,
  ),
  {
    shows: 'twins',
    name: 'twins that nobody minds',
    bad: 'one machine is switched for the other',
    metal: {
      remakeBmc: controller => ({ ...controller, decide: (seen, now) => controller.decide({ ...seen, twins: [] }, now) }),
    },
  },
  {
    shows: 'twins',
    name: 'a silence that settles a doubt',
    bad: 'a machine that cannot be told from another is booted after half a minute without an answer',
    metal: {
      remakeBmc: controller => ({ ...controller, decide: (seen, now) => controller.decide({ ...seen, doubted: false }, now) }),
    },
    looks: ['outage'],
  },
  {
    ...seeing('released', 'the power cut although nobody was heard', 'a file system is damaged because a question got lost', seen =>
      seen.stopping?.how === 'graceful' ? { ...seen, stopping: { ...seen.stopping, heard: true } } : seen,
    ),
    // A crash between the note and the question.
    looks: ['crash after'],
  },
  seeing('powerCycled', 'started over and over', 'a server that boots is taken for one that does not, for ever', seen =>
    seen.boot?.outcome === 'Started' && seen.machine.is === 'there' && seen.machine.power === 'On'
      ? { ...seen, server: { ...seen.server, operation: 'graceful-restart-server' } }
      : seen,
  ),
]
