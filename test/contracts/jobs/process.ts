// What a forked run is: arguments and environment in, lines and an exit code out.
import { exitCodeOf } from '../../../src/jobs/run-program.ts'
import { run } from './programs.ts'

const { env } = process
const order = {
  job: '',
  attempt: 1,
  namespace: '',
  name: env['NAME'] ?? '',
  account: '',
  token: '',
  env,
  program: process.argv.at(-1) ?? '',
}
const over = new AbortController()
if (order.program === 'deaf') process.on('SIGTERM', () => {})
else process.on('SIGTERM', () => over.abort())
const alive = setInterval(() => {}, 1_000)
process.exitCode = await exitCodeOf(run, order as never, over.signal, line => console.log(line))
clearInterval(alive)
