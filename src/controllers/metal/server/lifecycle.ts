import { minutes } from '../../../core/duration.ts'
import { machine, when } from '../../../core/machine.ts'
import { available } from './available.ts'
import { stands } from './conditions.ts'
import { discovery, hasFailed, isDiscovered } from './discovery.ts'
import { failure, mayRetry } from './failure.ts'
import { initial, isReady } from './initial.ts'
import { maintenance } from './maintenance.ts'
import { isUnparked, parked, wantsPark } from './parked.ts'
import { isFree, isHeldBack, isUnwiped, released } from './released.ts'
import { reserved } from './reserved.ts'
import type { Seen } from './seen.ts'
import { isDoubtful } from './there.ts'
import type { Verb } from './verbs.ts'

const isHeld = ({ maintenance }: Seen): boolean => maintenance !== undefined
/** Nobody works on it, and nobody is about to. */
const isBack = (seen: Seen): boolean => !isHeld(seen) && !seen.wanted
const isClaimed = ({ claim }: Seen): boolean => claim !== undefined
const isWanted = ({ claim }: Seen): boolean => claim?.is === 'there'
const isForced = (seen: Seen): boolean => stands(seen, 'Quarantined') && seen.claim === undefined

/** The life of a server. Everything that can happen to it is in this table. */
export const lifecycle = machine<Seen, Verb>()({
  initial: 'Initial',
  phases: {
    Initial: {
      does: initial,
      exits: {
        Error: when('it is not sure which machine this is', isDoubtful),
        // Whatever became of its status: a server that somebody has is never discovered again.
        Reserved: when('a claim has it', isClaimed),
        // The same for one that somebody works on, or has set aside: it is not booted to be looked at.
        Maintenance: when('a maintenance holds it', isHeld),
        Parked: when('somebody has parked it', ({ server }) => server.parked),
        Discovery: when('it is off, and its BMC has told what it is made of', isReady),
      },
    },
    Discovery: {
      does: discovery,
      within: minutes(45),
      exits: {
        Error: when('it could not be discovered', seen => isDoubtful(seen) || hasFailed(seen)),
        // It was released by force, or worked on, before that: looking at it wipes nothing.
        Released: when('the probe has registered, and it is not wiped', seen => isDiscovered(seen) && isHeldBack(seen)),
        Available: when('the probe has registered, and it is off', isDiscovered),
      },
    },
    Available: {
      does: available,
      exits: {
        Error: when('it is not sure which machine this is', isDoubtful),
        Maintenance: when('a maintenance holds it', isHeld),
        Parked: when('somebody parks it', wantsPark),
        Reserved: when('a claim has it', isClaimed),
      },
    },
    Reserved: {
      does: reserved,
      exits: {
        Error: when('it is not sure which machine this is', isDoubtful),
        Maintenance: when('a maintenance holds it', isHeld),
        Parked: when('somebody parks it', wantsPark),
        Released: when('its claim is gone', seen => !isWanted(seen)),
      },
    },
    Maintenance: {
      does: maintenance,
      exits: {
        Error: when('it is not sure which machine this is', isDoubtful),
        Reserved: when('the maintenance is over, and a claim has it', seen => isBack(seen) && isClaimed(seen)),
        Initial: when('the maintenance is over', isBack),
      },
    },
    Parked: {
      does: parked,
      exits: {
        Reserved: when('it is taken back to work, and a claim has it', seen => isUnparked(seen) && isClaimed(seen)),
        // Its claim went meanwhile: whatever holds for a server that was released holds for this one.
        Released: when('it is taken back to work, and its claim is gone', seen => isUnparked(seen) && isUnwiped(seen)),
        Available: when('it is taken back to work', isUnparked),
      },
    },
    Released: {
      does: released,
      exits: {
        Error: when('it was released by force', isForced),
        Available: when('it is off, and nothing is armed', isFree),
      },
    },
    Error: {
      does: failure,
      exits: {
        Released: when('its claim is gone', seen => isClaimed(seen) && !isWanted(seen) && !isDoubtful(seen)),
        Reserved: when('it is the right machine, and a claim has it', seen => isWanted(seen) && !isDoubtful(seen)),
        Maintenance: when('a maintenance holds it', seen => isHeld(seen) && !isDoubtful(seen)),
        Initial: when('it is tried again', mayRetry),
      },
    },
  },
})
