import { forkExecutor } from '../../src/jobs/forks.ts'
import { inProcessExecutor } from '../../src/jobs/in-process.ts'
import { threadExecutor } from '../../src/jobs/threads.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { executorContract } from './jobs/contract.ts'
import { run } from './jobs/programs.ts'

executorContract('in this process', async () => ({ executor: inProcessExecutor(run, 2), atOnce: 2, kills: false, close: async () => {} }))

executorContract('in threads', async () => {
  const executor = threadExecutor({
    entry: new URL('./jobs/programs.ts', import.meta.url),
    clock: wallClock,
    threads: 2,
    perThread: 2,
    grace: 200,
  })
  return { executor, atOnce: 4, kills: true, close: () => executor.close() }
})

executorContract('in processes', async () => {
  const executor = forkExecutor({
    clock: wallClock,
    command: [process.execPath, new URL('./jobs/process.ts', import.meta.url).pathname],
    access: () => ({ env: {}, forget: () => {} }),
    atOnce: 2,
    grace: 200,
  })
  return { executor, atOnce: 2, kills: true, close: () => executor.close() }
})
