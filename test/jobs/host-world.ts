import type { Job } from '../../src/api/batch/job.ts'
import { jobHost, jobs } from '../../src/jobs/host/index.ts'
import { openSweeper } from '../../src/jobs/host/sweep.ts'
import { inProcessExecutor } from '../../src/jobs/in-process.ts'
import type { RunProgram } from '../../src/jobs/run-program.ts'
import type { NewObject } from '../../src/ports/index.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'

export const ownImage = 'rackwright.dev/rackwright'

/** A Job as a controller would create it, with whatever a test wants otherwise. */
export const aJob = (name: string, spec: Partial<Job['spec']> = {}, container: object = {}): NewObject<Job> => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, namespace: 'default' },
  spec: {
    backoffLimit: 2,
    ...spec,
    template: {
      spec: {
        restartPolicy: 'Never',
        serviceAccountName: 'jobs',
        containers: [
          { name: 'job', image: ownImage, args: ['job', 'bios-scan'], env: [{ name: 'RACKWRIGHT_JOB_NAME', value: 'x' }], ...container },
        ],
      },
    },
  },
})

export interface HostWorld extends TestWorld {
  job(name: string): Promise<Job>
  /** The host goes down without a word, and comes back on the same API. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** The embedded API and its Job host in virtual time; programs are what the test says. */
export async function hostWorld(run: RunProgram): Promise<HostWorld> {
  const world = await testWorld()
  const open = () => {
    const executor = inProcessExecutor(run)
    const sweeper = openSweeper(world.kube, world.clock, executor)
    const controllers = world.controllers()
    controllers.add(kube =>
      jobHost({ kube, executor, images: [ownImage], programs: ['bios-scan'], token: async () => 'token', started: sweeper.started }),
    )
    controllers.start()
    return { controllers, sweeper }
  }
  let host = open()
  await world.clock.settle()
  return {
    ...world,
    job: name => world.kube.get(jobs, { name, namespace: 'default' }),
    async restart() {
      host.sweeper.close()
      await host.controllers.stop()
      host = open()
      await world.clock.settle()
    },
    async stop() {
      host.sweeper.close()
      await host.controllers.stop()
      await world.close()
    },
  }
}
