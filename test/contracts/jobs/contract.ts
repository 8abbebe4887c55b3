import { afterEach, describe, expect, it } from 'vitest'
import type { JobExecutor, RunOrder, RunState } from '../../../src/ports/jobs.ts'

export interface OpenedExecutor {
  readonly executor: JobExecutor
  /** How many of its runs may be under way at once. */
  readonly atOnce: number
  /** What keeps running although it was asked to end can be ended here. */
  readonly kills: boolean
  close(): Promise<void>
}

const order = (program: string, more: Partial<RunOrder> = {}): RunOrder => ({
  job: `uid-${program}`,
  attempt: 1,
  namespace: 'default',
  name: `job-${program}`,
  account: 'jobs',
  token: 'none',
  program,
  env: { WORD: 'hello', NAME: `job-${program}` },
  ...more,
})

/** Looks until it is so; what never comes fails with what was seen last. */
async function until(executor: JobExecutor, run: RunOrder, so: (state: RunState, lines: readonly string[]) => boolean): Promise<RunState> {
  for (let look = 0; look < 2_000; look++) {
    const state = executor.state(run)
    if (so(state, executor.logs(run))) return state
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  throw new Error(`the run stays ${JSON.stringify(executor.state(run))} with ${JSON.stringify(executor.logs(run))}`)
}
const ended = (executor: JobExecutor, run: RunOrder): Promise<RunState> => until(executor, run, ({ is }) => is === 'ended')

/** What every executor keeps to, whatever runs the programs. */
export function executorContract(name: string, open: () => Promise<OpenedExecutor>): void {
  describe(`X-018 executor ${name}`, () => {
    const opened: OpenedExecutor[] = []
    const using = async (): Promise<OpenedExecutor> => {
      const one = await open()
      opened.push(one)
      return one
    }
    afterEach(async () => {
      for (const one of opened.splice(0)) await one.close()
    })

    it('knows nothing of a run that nobody started', async () => {
      const { executor } = await using()
      expect(executor.state(order('well'))).toEqual({ is: 'unknown' })
      expect(executor.logs(order('well'))).toEqual([])
      executor.stop(order('well'))
      expect(executor.state(order('well'))).toEqual({ is: 'unknown' })
    })

    it('runs a program with its environment to its exit code, and keeps what it said', async () => {
      const { executor } = await using()
      executor.start(order('well'))
      expect(await ended(executor, order('well'))).toEqual({ is: 'ended', code: 0 })
      expect(executor.logs(order('well'))).toEqual(['well: job-well hello'])
      executor.start(order('ill'))
      expect(await ended(executor, order('ill'))).toEqual({ is: 'ended', code: 2 })
    })

    it('runs a run once, however often it is started; another attempt is another run', async () => {
      const { executor } = await using()
      for (let n = 0; n < 3; n++) executor.start(order('well'))
      await ended(executor, order('well'))
      executor.start(order('well'))
      expect(executor.state(order('well'))).toEqual({ is: 'ended', code: 0 })
      expect(executor.logs(order('well'))).toHaveLength(1)
      executor.start(order('well', { attempt: 2 }))
      await ended(executor, order('well', { attempt: 2 }))
      expect(executor.logs(order('well', { attempt: 2 }))).toHaveLength(1)
    })

    it('takes what a program throws for a failure that is worth another try, and keeps the words', async () => {
      const { executor } = await using()
      executor.start(order('throws'))
      expect(await ended(executor, order('throws'))).toEqual({ is: 'ended', code: 1 })
      expect(executor.logs(order('throws')).join()).toContain('it fell over')
    })

    it('keeps the last lines of a program that says much, and none of endless length', async () => {
      const { executor } = await using()
      executor.start(order('talks'))
      await ended(executor, order('talks'))
      const lines = executor.logs(order('talks'))
      expect(lines).toHaveLength(400)
      expect(lines[0]).toBe('line 600 x')
      expect(lines.at(-1)!.length).toBeLessThanOrEqual(1_001)
    })

    it('ends a run when it is asked to; it can be started anew then', async () => {
      const { executor } = await using()
      executor.start(order('stays'))
      await until(executor, order('stays'), (_, lines) => lines.includes('staying'))
      executor.stop(order('stays'))
      executor.stop(order('stays'))
      await until(executor, order('stays'), ({ is }) => is === 'unknown')
      expect(executor.logs(order('stays'))).toEqual(['staying', 'asked to end'])
      executor.start(order('stays'))
      await until(executor, order('stays'), (_, lines) => lines.length === 3)
      expect(executor.state(order('stays'))).toEqual({ is: 'running' })
      executor.stop(order('stays'))
      await until(executor, order('stays'), ({ is }) => is === 'unknown')
    })

    it('begins nothing any more when it is closed', async () => {
      const { executor, atOnce, kills, close } = await using()
      if (!kills) return
      const all = Array.from({ length: atOnce + 2 }, (_, n) => order('stays', { job: `uid-${n}` }))
      for (const one of all) executor.start(one)
      for (const one of all.slice(0, atOnce)) await until(executor, one, (_, lines) => lines.includes('staying'))
      await close()
      expect(all.map(one => executor.state(one).is)).toEqual([...Array(atOnce).fill('ended'), 'waiting', 'waiting'])
      expect(all.slice(atOnce).flatMap(one => executor.logs(one))).toEqual([])
    })

    it('forgets how a run ended when it is told to stop it, and keeps what it said', async () => {
      const { executor } = await using()
      executor.start(order('well'))
      await ended(executor, order('well'))
      executor.stop(order('well'))
      expect(executor.state(order('well'))).toEqual({ is: 'unknown' })
      executor.start(order('well'))
      await ended(executor, order('well'))
      expect(executor.logs(order('well'))).toHaveLength(2)
    })

    it('ends a run that does not listen', async () => {
      const { executor, kills } = await using()
      if (!kills) return
      executor.start(order('deaf'))
      await until(executor, order('deaf'), (_, lines) => lines.includes('deaf'))
      executor.stop(order('deaf'))
      await until(executor, order('deaf'), ({ is }) => is === 'unknown')
    })

    it('lets the others wait in their order where all places are taken', async () => {
      const { executor, atOnce } = await using()
      const stays = Array.from({ length: atOnce }, (_, n) => order('stays', { job: `uid-${n}` }))
      for (const one of stays) executor.start(one)
      executor.start(order('well'))
      executor.start(order('ill'))
      expect(executor.state(order('well'))).toEqual({ is: 'waiting', ahead: 0 })
      expect(executor.state(order('ill'))).toEqual({ is: 'waiting', ahead: 1 })
      executor.stop(order('well'))
      expect(executor.state(order('well'))).toEqual({ is: 'unknown' })
      expect(executor.state(order('ill'))).toEqual({ is: 'waiting', ahead: 0 })
      await until(executor, stays[0]!, (_, lines) => lines.includes('staying'))
      executor.stop(stays[0]!)
      expect(await ended(executor, order('ill'))).toEqual({ is: 'ended', code: 2 })
    })
  })
}
