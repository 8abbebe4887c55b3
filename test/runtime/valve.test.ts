import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Motor, type Reading, valveController, valveKind, valves } from '../../examples/controller/valve.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { Fault } from '../../src/core/fault.ts'
import type { Controllers } from '../../src/runtime/index.ts'
import { type TestWorld, testWorld } from './world.ts'

let world: TestWorld
let motor: TestMotor
beforeEach(async () => {
  world = await testWorld([valveKind])
  motor = testMotor()
})
afterEach(() => world.close())

const key = { name: 'garden', namespace: 'default' }
const phase = async () => (await world.kube.get(valves, key)).status?.phase
const create = (position: 'Open' | 'Closed') =>
  world.kube.create(valves, {
    apiVersion: 'example.rackwright.dev/v1',
    kind: 'Valve',
    metadata: key,
    spec: { address: 'motor-1', position },
  })

interface TestMotor extends Motor {
  position: Reading['position']
  turns: number
  asked: number
  /** What the next turn does instead of turning. */
  next: 'refuses' | 'turns and says nothing' | 'ignores it' | undefined
}

/** A motor that takes five seconds for a turn. */
function testMotor(): TestMotor {
  const it: TestMotor = {
    position: 'Closed',
    turns: 0,
    asked: 0,
    next: undefined,
    read: async () => ({ position: it.position, turns: it.turns }),
    async turn() {
      it.asked++
      const how = it.next
      it.next = undefined
      if (how === 'refuses') throw new Fault('motor/busy', 'Cannot turn the valve: the motor is busy')
      if (how !== 'ignores it') {
        const to = it.position === 'Open' ? 'Closed' : 'Open'
        it.position = 'Moving'
        world.clock.after(seconds(5), () => {
          it.position = to
          it.turns++
        })
      }
      if (how === 'turns and says nothing') throw new Fault('motor/no-answer', 'Cannot turn the valve: no answer')
    },
  }
  return it
}

function start(): Controllers {
  const controllers = world.controllers()
  controllers.add(() => valveController({ motor }))
  controllers.start()
  return controllers
}

describe('a valve', () => {
  it('is opened, and closed before it is forgotten, with one turn each', async () => {
    await create('Open')
    const controllers = start()
    await world.clock.advance(seconds(10))
    expect([await phase(), motor.position, motor.asked]).toEqual(['Open', 'Open', 1])
    expect(controllers.history(valves, key).map(({ because }) => because)).toEqual([
      'takes hold of it with example.rackwright.dev/close-first',
      'enters Finding: it is new',
      'Finding → Closed: it was read as closed',
      'Closed → Opening: it shall be open',
      'asks for turn 1, attempt 1',
      'it is moving',
      'Opening → Open: it was read as open',
      'it stands Open, as wanted',
    ])
    const writes = world.writes().length
    await world.clock.advance(minutes(60))
    expect(world.writes()).toHaveLength(writes)
    await world.kube.delete(valves, key)
    await world.clock.advance(seconds(10))
    expect(await world.kube.find(valves, key)).toBeUndefined()
    expect([motor.position, motor.asked]).toEqual(['Closed', 2])
    await controllers.stop()
  })

  it.each(['refuses', 'turns and says nothing', 'ignores it'] as const)('is opened although the motor %s at first', async how => {
    motor.next = how
    await create('Open')
    const controllers = start()
    await world.clock.advance(minutes(2))
    expect([await phase(), motor.position]).toEqual(['Open', 'Open'])
    expect(motor.asked).toBe(how === 'turns and says nothing' ? 1 : 2)
    const { status } = await world.kube.get(valves, key)
    expect(status?.turn).toBeUndefined()
    expect(status?.conditions?.every(({ type, status: now }) => now === (type === 'Reconciled' ? 'True' : 'False'))).toBe(true)
    await controllers.stop()
  })

  it('whose controller died between the note and the turn is not turned before a turn could still come', async () => {
    await create('Open')
    // The first process gets as far as its note: everything of it ends there.
    let died = false
    world.through(async (request, onward) => {
      const response = await onward(request)
      if (Buffer.from(request.body ?? []).includes('"attempt"')) died = true
      if (died) await new Promise(() => {})
      return response
    })
    start()
    await world.clock.advance(seconds(5))
    expect([died, motor.asked]).toEqual([true, 0])
    world.through(undefined)
    const second = start()
    await world.clock.advance(seconds(29))
    expect(motor.asked).toBe(0)
    await world.clock.advance(seconds(10))
    expect([motor.asked, await phase()]).toEqual([1, 'Open'])
    await second.stop()
  })
})
