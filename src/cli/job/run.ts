import { httpImages } from '../../jobs/images.ts'
import { runJobProgram } from '../../jobs/programs/index.ts'
import type { ProgramPorts } from '../../jobs/programs/program.ts'
import { type Connection, connect, kubeClient } from '../../kube/index.ts'
import { randomIds } from '../../net/random-ids.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { type BmcPool, type Clock, silent } from '../../ports/index.ts'
import { bmcPool } from '../../redfish/index.ts'
import { bmcAccess } from '../compose/bmc-access.ts'

export interface JobRun {
  readonly program: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** How it reaches the API, and as whom. */
  readonly connection: Connection
  readonly signal: AbortSignal
  /** The program's own idea of how long a wait is, where its machines are in a hurry. */
  readonly pace?: Clock
  say(line: string): void
}

/** One program with everything that it needs over one connection to the API: the same in a pod, in a thread and in a process of its own. */
export async function runJob({ program, env, connection, signal, pace, say }: JobRun): Promise<number> {
  const transport = connect(connection, wallClock)
  const kube = kubeClient(transport, { clock: wallClock, ids: randomIds, userAgent: `rackwright-job/${program}` })
  const namespace = env['RACKWRIGHT_MANAGER_NAMESPACE'] || env['RACKWRIGHT_JOB_NAMESPACE'] || connection.namespace
  const access = bmcAccess({ kube, read: () => undefined, namespace })
  const pools: BmcPool[] = []
  const pool: ProgramPorts['pool'] = ({ system, reading }) => {
    const at = system === undefined ? access : async (name: string) => ({ ...(await access(name)), system })
    const made = bmcPool({ clock: wallClock, log: silent, reading, access: at })
    pools.push(made)
    return made
  }
  try {
    return await runJobProgram(program, env, { kube, pool, images: httpImages(wallClock), clock: pace ?? wallClock, signal, say })
  } finally {
    for (const one of pools) await one.close()
    await transport.close()
  }
}
