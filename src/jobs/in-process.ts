import type { JobExecutor } from '../ports/jobs.ts'
import { openExecutor } from './executor.ts'
import { exitCodeOf, type RunProgram } from './run-program.ts'

/** Runs programs right here: in virtual time, where threads and processes would have a time of their own. */
export const inProcessExecutor = (run: RunProgram, atOnce = 64): JobExecutor =>
  openExecutor({
    atOnce,
    begin(order, { said, ended }) {
      const over = new AbortController()
      void exitCodeOf(run, order, over.signal, said).then(ended)
      return { stop: () => over.abort(new Error('the run was stopped')) }
    },
  })
