// A controller from end to end: the kind, its lifecycle, what is observed, what is decided, what is done. See docs/controllers.md.
import { kind, type Of } from '../../src/api/kind.ts'
import { integer, object, oneOf, optional, string } from '../../src/api/schema.ts'
import { conditions, observedGeneration, time } from '../../src/api/shapes.ts'
import { type Millis, minutes, seconds } from '../../src/core/duration.ts'
import { machine, type Standing, step, when } from '../../src/core/machine.ts'
import { act, type Plan, type Release, release, wait } from '../../src/core/plan.ts'
import { type Reconciler, resourceOf } from '../../src/ports/index.ts'

export const valveKind = kind({
  group: 'example.rackwright.dev',
  version: 'v1',
  kind: 'Valve',
  plural: 'valves',
  scope: 'Namespaced',
  description: 'A water valve that is turned over the network. It is closed before it is forgotten.',
  fields: {
    spec: object(
      { address: string('Where its motor listens.'), position: oneOf(['Open', 'Closed'], 'How it shall stand.') },
      'What is wanted.',
    ),
    status: optional(
      object(
        {
          phase: optional(oneOf(['Finding', 'Closed', 'Opening', 'Open', 'Closing'], 'How it stands.')),
          phaseSince: optional(time('Since when.')),
          turn: optional(
            object(
              { after: integer('Turns before it.'), attempt: integer('Which try it is.') },
              'The turn that was or is about to be asked for.',
            ),
          ),
          observedGeneration: optional(observedGeneration()),
          conditions: optional(conditions()),
        },
        'What was seen.',
      ),
    ),
  },
  columns: [
    { name: 'Wanted', type: 'string', jsonPath: '.spec.position' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  ],
  example: { metadata: { name: 'garden', namespace: 'default' }, spec: { address: 'motor-1', position: 'Open' } },
})
export const valves = resourceOf(valveKind)

/** The motor, as a port. It only knows "turn", which does something else each time; but it counts its turns. */
export interface Motor {
  read(address: string, signal: AbortSignal): Promise<Reading>
  /** Returns when the motor has agreed, not when it has turned. */
  turn(address: string, signal: AbortSignal): Promise<void>
}
export interface Reading {
  readonly position: 'Open' | 'Closed' | 'Moving'
  readonly turns: number
}

export interface Seen {
  readonly standing: Standing
  readonly wanted: 'Open' | 'Closed'
  readonly deleting: boolean
  readonly reading: Reading
  /** The turn that was noted, and for how long this process has known of it. */
  readonly noted: { readonly after: number; readonly attempt: number; readonly age: Millis } | undefined
}
type Action = { readonly do: 'turn' } | Release

/** A turn that was asked for may still come within this time, even if nobody who asked for it is left. */
const patience = seconds(30)
const soon = seconds(2)

/** The noted turn, as long as it is not done and may still come. */
const pending = ({ reading, noted }: Seen) => (noted?.after === reading.turns && noted.age < patience ? noted : undefined)

/** Notes the turn before it is asked for: a crash in between leaves the note, and the motor's count says whether it was done. */
function turn(seen: Seen): Plan<Action> {
  const { reading, noted } = seen
  if (reading.position === 'Moving') return wait('it is moving', soon)
  if (pending(seen)) return wait(`turn ${reading.turns + 1} was asked for and may still come`, soon)
  const next = { after: reading.turns, attempt: noted?.after === reading.turns ? noted.attempt + 1 : 1 }
  return act(`asks for turn ${next.after + 1}, attempt ${next.attempt}`, [{ do: 'turn' }], { status: { turn: next }, again: soon })
}

/** It stands as it should. Nobody tells us when a hand turns it, so it is looked at now and then. */
function rest(seen: Seen): Plan<Action> {
  if (pending(seen)) return wait(`it stands ${seen.reading.position}, but a turn may still come`, soon)
  if (seen.deleting) return act('it is closed and can be forgotten', [release])
  return wait(`it stands ${seen.reading.position}, as wanted`, minutes(1), { status: { turn: null } })
}

const is = (position: Reading['position']) => (seen: Seen) => seen.reading.position === position
const isNot = (position: Reading['position']) => (seen: Seen) => !is(position)(seen)
const wants = (position: Seen['wanted']) => (seen: Seen) => seen.wanted === position

export const lifecycle = machine<Seen, Action>()({
  initial: 'Finding',
  phases: {
    Finding: {
      does: () => wait('it stands neither open nor closed', soon),
      within: minutes(1),
      exits: { Open: when('it was read as open', is('Open')), Closed: when('it was read as closed', is('Closed')) },
    },
    Closed: {
      does: rest,
      exits: { Finding: when('somebody else turned it', isNot('Closed')), Opening: when('it shall be open', wants('Open')) },
    },
    Opening: {
      does: turn,
      within: minutes(1),
      exits: { Open: when('it was read as open', is('Open')), Finding: when('it shall not open any more', wants('Closed')) },
    },
    Open: {
      does: rest,
      exits: { Finding: when('somebody else turned it', isNot('Open')), Closing: when('it shall be closed', wants('Closed')) },
    },
    Closing: {
      does: turn,
      within: minutes(1),
      exits: { Closed: when('it was read as closed', is('Closed')), Finding: when('it shall not close any more', wants('Open')) },
    },
  },
})

export const decide = (seen: Seen, now: number): Plan<Action> => step(lifecycle, seen.standing, seen, now)

export type Valve = Of<typeof valveKind>

export const valveController = ({ motor }: { readonly motor: Motor }): Reconciler<Valve, Seen, Action> => ({
  name: 'valve',
  kind: valves,
  watches: [],
  finalizer: 'example.rackwright.dev/close-first',
  async observe({ metadata, spec, status }, { signal, lasting }) {
    const deleting = metadata.deletionTimestamp !== undefined
    const noted = status?.turn && { ...status.turn, age: lasting(`turn ${status.turn.after}, attempt ${status.turn.attempt}`) }
    const reading = await motor.read(spec.address, signal)
    return {
      standing: { phase: status?.phase, phaseSince: status?.phaseSince },
      wanted: deleting ? 'Closed' : spec.position,
      deleting,
      reading,
      noted,
    }
  },
  decide,
  perform: {
    turn: { destructive: true, run: (_, { object, signal }) => motor.turn(object.spec.address, signal) },
  },
})
