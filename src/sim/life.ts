/** Whether a simulated process runs, stands still (SIGSTOP), or is dead. What reaches it from outside goes through here. */
export interface Life {
  readonly state: 'running' | 'stopped' | 'dead'
  /** What the process still asked of the world after it died; anything but zero some turns later is a leak. */
  readonly ghosts: number
  /** Runs now; after `resume`, in order, where the process stands still; never where it is dead. */
  deliver(then: () => void): void
  /** The outside's answer as the process gets it: later if it stands still, never if it is dead by then. */
  hear<T>(answer: Promise<T>): Promise<T>
  /** True where the process is alive to ask; otherwise counts a ghost. */
  asks(): boolean
  stop(): void
  resume(): void
  die(): void
  /** Called once, when it dies: connections break, timers go. The returned function takes it back. */
  onDeath(then: () => void): () => void
}

export const never = <T>(): Promise<T> => new Promise<T>(() => {})

export function newLife(): Life {
  const held: (() => void)[] = []
  const deaths = new Set<() => void>()
  let state: Life['state'] = 'running'
  let ghosts = 0

  const deliver = (then: () => void): void => {
    if (state === 'running') then()
    else if (state === 'stopped') held.push(then)
  }
  return {
    get state() {
      return state
    },
    get ghosts() {
      return ghosts
    },
    deliver,
    hear: answer =>
      new Promise((resolve, reject) => {
        answer.then(
          value => deliver(() => resolve(value)),
          (error: unknown) => deliver(() => reject(error)),
        )
      }),
    asks() {
      if (state === 'dead') ghosts++
      return state !== 'dead'
    },
    stop() {
      if (state === 'running') state = 'stopped'
    },
    resume() {
      if (state !== 'stopped') return
      state = 'running'
      // What was held may stop the process again: the rest then waits on.
      while (held.length > 0 && (state as Life['state']) === 'running') held.shift()!()
    },
    die() {
      if (state === 'dead') return
      state = 'dead'
      held.length = 0
      for (const death of deaths) death()
      deaths.clear()
    },
    onDeath(then) {
      if (state === 'dead') then()
      else deaths.add(then)
      return () => void deaths.delete(then)
    },
  }
}
