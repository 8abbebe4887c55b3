import { parentPort } from 'node:worker_threads'
import type { RunProgram } from '../../../src/jobs/run-program.ts'
import { serveRuns } from '../../../src/jobs/thread.ts'

/** Programs to try executors with, by what they do. */
export const run: RunProgram = async ({ program, env, name }, { signal, say }) => {
  switch (program) {
    case 'well':
      say(`well: ${name} ${env['WORD']}`)
      return 0
    case 'ill':
      say('ill')
      return 2
    case 'throws':
      throw new Error('it fell over')
    case 'talks':
      for (let n = 0; n < 1_000; n++) say(`line ${n} ${'x'.repeat(n === 999 ? 5_000 : 1)}`)
      return 0
    case 'stays':
      say('staying')
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
      say('asked to end')
      return 143
    case 'deaf':
      say('deaf')
      return new Promise<number>(() => {
        // Keeps its thread or process alive, whatever it is told.
        setInterval(() => {}, 1_000)
      })
    default:
      return 2
  }
}

if (parentPort) serveRuns(parentPort, run)
