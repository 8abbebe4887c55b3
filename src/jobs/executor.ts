import type { JobExecutor, RunKey, RunOrder, RunState } from '../ports/jobs.ts'

/** What a way to run programs tells of a run. */
export interface Hearing {
  said(line: string): void
  /** Once, with its exit code; whatever comes later is not heard. */
  ended(code: number): void
}

export interface Begun {
  /** Asks it to end, and sees to it that it does. */
  stop(): void
}

export interface ExecutorOptions {
  /** Begins a run; never throws, never waits. */
  begin(order: RunOrder, hearing: Hearing): Begun
  /** Runs at once; the others wait in the order in which they came. */
  readonly atOnce: number
  /** How many runs that are over are remembered, with their lines. */
  readonly remembered?: number
  readonly lines?: number
  /** Told of every line, for whoever keeps them longer. */
  heard?: ((run: RunKey, line: string) => void) | undefined
}

interface Run {
  readonly order: RunOrder
  readonly lines: string[]
  state: 'waiting' | 'running' | 'stopping' | 'stopped' | number
  begun: Begun | undefined
}

const longestLine = 1_000

export interface Books extends JobExecutor {
  /** From now on nothing begins: what ends makes no room for what waits. */
  shut(): void
}

/** The books of an executor: who waits, who runs, how it ended, what it said. How a program runs is its `begin`. */
export function openExecutor({ begin, atOnce, remembered = 1_000, lines: most = 400, heard }: ExecutorOptions): Books {
  const runs = new Map<string, Run>()
  const waiting = new Set<Run>()
  let running = 0
  let isShut = false

  const next = (): void => {
    for (const run of waiting) {
      if (isShut || running >= atOnce) return
      waiting.delete(run)
      running++
      run.state = 'running'
      run.begun = begin(run.order, {
        said(line) {
          keepLine(run.lines, line, most)
          heard?.(run.order, line)
        },
        ended: code => ended(run, code),
      })
    }
  }
  const ended = (run: Run, code: number): void => {
    if (run.state !== 'running' && run.state !== 'stopping') return
    run.state = run.state === 'stopping' ? 'stopped' : code
    run.begun = undefined
    running--
    forgetOldest()
    next()
  }
  const forgetOldest = (): void => {
    for (const [name, { state }] of runs) {
      if (runs.size <= remembered) return
      if (typeof state === 'number' || state === 'stopped') runs.delete(name)
    }
  }
  return {
    start(order) {
      const name = nameOf(order)
      const before = runs.get(name)
      if (before && before.state !== 'stopped') return
      // What a stopped one said stays before what its successor says.
      const run: Run = { order, lines: before?.lines ?? [], state: 'waiting', begun: undefined }
      runs.delete(name)
      runs.set(name, run)
      waiting.add(run)
      next()
    },
    state: key => stateOf(runs.get(nameOf(key)), waiting),
    stop(key) {
      const run = runs.get(nameOf(key))
      if (run?.state === 'waiting') {
        waiting.delete(run)
        run.state = 'stopped'
      } else if (run?.state === 'running') {
        run.state = 'stopping'
        run.begun?.stop()
      } else if (typeof run?.state === 'number') run.state = 'stopped'
    },
    logs: key => [...(runs.get(nameOf(key))?.lines ?? [])],
    shut() {
      isShut = true
    },
  }
}

const nameOf = ({ job, attempt }: RunKey): string => `${job}/${attempt}`

function stateOf(run: Run | undefined, waiting: ReadonlySet<Run>): RunState {
  if (!run || run.state === 'stopped') return { is: 'unknown' }
  if (typeof run.state === 'number') return { is: 'ended', code: run.state }
  if (run.state !== 'waiting') return { is: 'running' }
  return { is: 'waiting', ahead: [...waiting].indexOf(run) }
}

function keepLine(lines: string[], line: string, most: number): void {
  lines.push(line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)
  if (lines.length > most) lines.shift()
}
