/** One try of one Job. Both together name it for ever: another try has another number. */
export interface RunKey {
  /** The UID of the Job. */
  readonly job: string
  readonly attempt: number
}

/** What a try needs to run: no more than a pod would be given. */
export interface RunOrder extends RunKey {
  readonly namespace: string
  readonly name: string
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  /** The ServiceAccount that it runs as, and a token for it. */
  readonly account: string
  readonly token: string
}

/**
 * `unknown`: never started here, stopped, or started by a process that is gone; it may be started. `waiting`: others are before it.
 * `ended`: by itself, with an exit code.
 */
export type RunState =
  | { readonly is: 'unknown' }
  | { readonly is: 'waiting'; readonly ahead: number }
  | { readonly is: 'running' }
  | { readonly is: 'ended'; readonly code: number }

/** Runs the programs of Jobs: in this process, in threads of it, or in processes of their own. Nothing here waits for a program. */
export interface JobExecutor {
  /** Idempotent: a run that waits, runs or has ended is left as it is. */
  start(order: RunOrder): void
  state(run: RunKey): RunState
  /** Asks it to end, and ends it where it does not. It is `running` until it is over, then `unknown`: so is at once what has ended. */
  stop(run: RunKey): void
  /** Its last lines, oldest first; those of runs that are long over are forgotten. */
  logs(run: RunKey): readonly string[]
}
