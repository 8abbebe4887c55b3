import type { JobEnvironment } from './environment.ts'
import { failed } from './exit.ts'
import type { ProgramPorts } from './program.ts'
import { type JobRunner, jobRunners } from './resources.ts'

/** Read when it is needed: what people change there counts at once. */
export async function readRunner({ kube, signal }: ProgramPorts, { runner }: JobEnvironment): Promise<JobRunner> {
  const found = await kube.find(jobRunners, { name: runner }, { signal })
  if (found) return found
  throw failed(`There is no JobRunner ${runner}: nobody says where versions come from`)
}
