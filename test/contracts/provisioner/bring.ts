import { expect } from 'vitest'
import type { Millis } from '../../../src/core/duration.ts'
import type { Clock } from '../../../src/ports/index.ts'
import type { EngineMemory, HostOrder, Provisioner, Turn, Work } from '../../../src/ports/provisioner.ts'

export interface Bringing {
  readonly clock: Pick<Clock, 'now'>
  pass(ms: Millis): Promise<void>
  /** Waits for something while time passes. */
  during<T>(work: Promise<T>): Promise<T>
  /** The engine of each turn: another one is what a restart leaves. */
  engine(turn: number): Provisioner
  /** How often each step is carried out: a lost answer makes it twice. */
  readonly times?: number
}

export interface Brought {
  readonly turn: Turn
  readonly memory: EngineMemory | undefined
  readonly steps: readonly string[]
}

const never = new AbortController().signal
const limit = 2_000

/** Has an engine do one work for a host until it is done or has failed, as the host's controller does: look, judge, note, perform. */
export async function bring(by: Bringing, host: HostOrder, work: Work, before?: EngineMemory): Promise<Brought> {
  let memory = before
  const steps: string[] = []
  for (let n = 0; n < limit; n++) {
    const engine = by.engine(n)
    const sight = await by.during(engine.look(host, work, memory, never))
    const now = by.clock.now()
    const turn = engine.judge(host, work, memory, sight, now)
    expect(engine.judge(host, work, memory, sight, now), 'the same sight is judged the same').toEqual(turn)
    expect(turn.because, 'every turn says because').toMatch(/\w/)
    if (turn.is === 'done' || turn.is === 'failed' || turn.is === 'gone')
      return { turn, memory: turn.is === 'failed' ? (turn.memory ?? memory) : memory, steps }
    if (turn.is === 'progress' && turn.memory) {
      expect(turn.memory.work, 'a note is about the work that it is taken in').toBe(work)
      expect(turn.memory.attempt).toBeGreaterThanOrEqual(memory?.attempt ?? 0)
      // As the API keeps it: what cannot be written down is lost.
      memory = JSON.parse(JSON.stringify(turn.memory)) as EngineMemory
    }
    if (turn.is === 'progress' && turn.does) {
      expect(memory?.step, 'I2 a step is noted before it is done').toBe(turn.does.do)
      steps.push(turn.does['command'] ?? turn.does.do)
      for (let time = 0; time < (by.times ?? 1); time++) await by.during(engine.perform(host, turn.does, never).catch(() => {}))
    }
    await by.pass(turn.again)
  }
  throw new Error(`Cannot bring ${work} about: it is not done after ${limit} turns; last noted is ${JSON.stringify(memory)}`)
}
