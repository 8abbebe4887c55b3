/** How a program ends when it does not end well, and what its caller makes of it (docs/guides/job-executors.md). */
export type Outcome = 'Failed' | 'Refused' | 'Stopped'

export const exitCodes = { Succeeded: 0, Failed: 1, Refused: 2, Stopped: 3 } as const

export class Exit extends Error {
  readonly outcome: Outcome

  constructor(outcome: Outcome, message: string) {
    super(message)
    this.outcome = outcome
  }
}

/** Worth another try. */
export const failed = (message: string): Exit => new Exit('Failed', message)
/** Will be so until somebody changes what is wanted. */
export const refused = (message: string): Exit => new Exit('Refused', message)
/** What authorised it is gone. */
export const stopped = (message: string): Exit => new Exit('Stopped', message)
