// What a thread of the Job host runs: programs, each over a connection of its own with the token of its Job.
import { parentPort, workerData } from 'node:worker_threads'
import { serveRuns } from '../../jobs/thread.ts'
import type { Connection } from '../../kube/index.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { hurriedClock } from '../../sim/clock/hurried.ts'
import { runJob } from './run.ts'

export interface ThreadData {
  /** Where the API is and why it is trusted; the login is each run's own. */
  readonly api: Omit<Connection, 'login'>
  readonly speed: number
}

const { api, speed } = workerData as ThreadData
const pace = speed === 1 ? wallClock : hurriedClock(wallClock, speed)

serveRuns(parentPort!, ({ program, env, token }, { signal, say }) =>
  runJob({ program, env, connection: { ...api, login: { by: 'token', token } }, signal, pace, say }),
)
