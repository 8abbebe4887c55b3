import type { Motor, Seen } from '../../../examples/controller/valve.ts'
import { printInstant } from '../../../src/core/instant.ts'
import { release } from '../../../src/core/plan.ts'
import { remade, type ValveMutant } from './mutant.ts'

const known = (seen: Seen): number | undefined => (seen.reading.position === 'Moving' ? undefined : seen.reading.turns)

/** Mistakes that the author of a controller could make. */
export const controllerMutants: readonly ValveMutant[] = [
  remade('forgotten finalizer', 'an open valve is forgotten', ({ finalizer: _, ...controller }) => controller),
  remade('released too early', 'a valve is let go as soon as it is to be removed', controller => ({
    ...controller,
    decide(seen, now) {
      const plan = controller.decide(seen, now)
      return seen.deleting ? { ...plan, actions: [release] } : plan
    },
  })),
  remade('acting before the commit', 'a crash in between leaves no note of what was asked for', (controller, motor) => ({
    ...controller,
    async observe(object, look) {
      const seen = await controller.observe(object, look)
      if (controller.decide(seen, 0).actions.some(action => action.do === 'turn')) await motor.turn(object.spec.address, look.signal)
      return seen
    },
    perform: { turn: { run: async () => {} } },
  })),
  remade('no note', 'a turn whose answer was lost is asked for again', controller => ({
    ...controller,
    decide(seen, now) {
      const { status, ...plan } = controller.decide({ ...seen, noted: undefined }, now)
      const { turn: _, ...rest } = status
      return { ...plan, status: rest }
    },
  })),
  remade('a note that is not waited for', 'a turn is asked for twice', controller => ({
    ...controller,
    decide: (seen, now) => controller.decide({ ...seen, noted: seen.noted && { ...seen.noted, age: Number.POSITIVE_INFINITY } }, now),
  })),
  remade('skipped read-back', 'what was asked for is taken for done', (controller, motor) => {
    const expected = new Map<string, { readonly position: 'Open' | 'Closed'; readonly turns: number }>()
    const hasty: Motor = {
      read: async (address, signal) => expected.get(address) ?? motor.read(address, signal),
      async turn(address, signal) {
        const { position, turns } = await motor.read(address, signal)
        await motor.turn(address, signal)
        expected.set(address, { position: position === 'Open' ? 'Closed' : 'Open', turns: turns + 1 })
      },
    }
    return {
      ...controller,
      async observe(object, look) {
        const seen = await controller.observe(object, look)
        return { ...seen, reading: await hasty.read(object.spec.address, look.signal) }
      },
      perform: { turn: { destructive: true, run: (_, { object, signal }) => hasty.turn(object.spec.address, signal) } },
    }
  }),
  remade('not called destructive', 'nothing is read afresh before the act', controller => ({
    ...controller,
    perform: { turn: { run: controller.perform.turn.run } },
  })),
  remade('one move more than was asked for', 'a turn is asked for although the valve stands as wanted', controller => ({
    ...controller,
    decide(seen, now) {
      const plan = controller.decide(seen, now)
      const atRest = plan.because.includes('as wanted') && known(seen) === 1
      return atRest ? { ...plan, actions: [{ do: 'turn' }], status: { turn: { after: seen.reading.turns, attempt: 1 } } } : plan
    },
  })),
  remade('event storm', 'every look writes an Event', controller => ({
    ...controller,
    decide(seen, now) {
      const plan = controller.decide(seen, now)
      return { ...plan, events: [...plan.events, { type: 'Normal', reason: 'Looked', message: `it was looked at ${now}` }] }
    },
  })),
  remade('the time in the status', 'every look writes the status', controller => ({
    ...controller,
    decide(seen, now) {
      const plan = controller.decide(seen, now)
      return { ...plan, status: { ...plan.status, phaseSince: printInstant(now) } }
    },
  })),
  remade('never looks again', 'what nobody tells about is never seen', controller => ({
    ...controller,
    decide(seen, now) {
      const { again: _, ...plan } = controller.decide(seen, now)
      return plan
    },
  })),
  remade('a promise that nobody waits for', 'a failure is lost, and the process may end with it', (controller, motor) => ({
    ...controller,
    perform: {
      turn: {
        destructive: true,
        async run(_, { object, signal }) {
          void motor.turn(object.spec.address, signal)
        },
      },
    },
  })),
]
