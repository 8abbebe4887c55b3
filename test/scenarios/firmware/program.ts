import { firmwareControllers } from '../../../src/controllers/firmware/index.ts'
import { firmwareIndexes } from '../../../src/controllers/firmware/indexes.ts'
import { bmcController } from '../../../src/controllers/metal/bmc/index.ts'
import { metalIndexes } from '../../../src/controllers/metal/indexes.ts'
import { serverController } from '../../../src/controllers/metal/server/index.ts'
import { jobHost } from '../../../src/jobs/host/index.ts'
import { openSweeper } from '../../../src/jobs/host/sweep.ts'
import { inProcessExecutor } from '../../../src/jobs/in-process.ts'
import { jobPrograms, runJobProgram } from '../../../src/jobs/programs/index.ts'
import type { BmcPool } from '../../../src/ports/bmc.ts'
import { openControllers } from '../../../src/runtime/index.ts'
import type { ProcessPorts, Running } from '../../../src/sim/process.ts'
import { bytesOf } from '../../firmware/story.ts'
import { followed } from '../followed.ts'
import { faultyPool } from '../metal/bmc-device.ts'
import type { Lab } from '../metal/lab.ts'
import { system } from '../metal/program.ts'

export const ownImage = 'rackwright.dev/rackwright'
export const wanted = '2.4.1'

/** What a job asks of a machine besides power: a call that fails, or whose answer is lost, like any other. */
const flashing = (ports: ProcessPorts, pool: BmcPool): BmcPool => ({
  ...pool,
  use: (server, work, signal) =>
    pool.use(
      server,
      bmc => {
        const { firmware } = bmc
        if (!firmware) return work(bmc)
        const device = ports.device(
          'bmc',
          {
            push: (_: string, name: string, image: Uint8Array, targets: readonly string[] | undefined) =>
              firmware.push(name, image, targets),
          },
          [],
        )
        return work({ ...bmc, firmware: { ...firmware, push: (name, image, targets) => device.push(server, name, image, targets) } })
      },
      signal,
    ),
})

/** The controllers of servers and of firmware, and a host that runs the programs of Jobs in the same process: they die together. */
export function firmwareProgram(ports: ProcessPorts, lab: Lab): Running {
  const { kube, clock, ids, log, identity } = ports
  const pool = flashing(ports, faultyPool(ports, lab))
  const images = {
    open: async () =>
      (async function* () {
        yield bytesOf('BIOS', wanted)
      })(),
  }
  const executor = inProcessExecutor(({ program, env }, { signal, say }) =>
    runJobProgram(program, env, { kube, pool: () => pool, images, clock, signal, say }),
  )
  const sweeper = openSweeper(kube, clock, executor)
  const controllers = openControllers({ kube, clock, ids, log, identity, indexes: [...metalIndexes, ...firmwareIndexes] })
  controllers.add(own => bmcController({ kube: own, pool }))
  controllers.add(own => serverController({ kube: own, pool, tickets: lab.tickets, identity, namespace: system, probeImage: 'probe:1' }))
  const made = firmwareControllers({ pool, namespace: system, jobImage: ownImage })
  controllers.add(made.bios)
  controllers.add(own =>
    jobHost({ kube: own, executor, images: [ownImage], programs: jobPrograms, token: async () => 'token', started: sweeper.started }),
  )
  controllers.start()
  const running = followed(controllers)
  return {
    ...running,
    async stop() {
      sweeper.close()
      await running.stop()
    },
  }
}
