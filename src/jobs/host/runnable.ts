import type { Container, Job } from '../../api/batch/job.ts'
import { jobVariables } from '../programs/environment.ts'

/** What a host without containers can run of a Job: which program, as whom, with which environment. */
export interface Runnable {
  readonly program: string
  readonly account: string
  readonly container: string
  readonly env: Readonly<Record<string, string>>
}

export interface HostLimits {
  /** References of the image that this very program is. */
  readonly images: readonly string[]
  readonly programs: readonly string[]
}

/** What to run, or why this host cannot: it has no containers, only the programs that it is made of. */
export function runnableOf({ spec }: Job, { images, programs }: HostLimits): Runnable | { readonly because: string } {
  const pod = spec.template.spec
  const [container, another] = pod.containers
  const no = (because: string): { readonly because: string } => ({ because })
  if (!container || another || (pod.initContainers ?? []).length > 0) return no('it has more than one container')
  if ((spec.completions ?? 1) !== 1 || (spec.parallelism ?? 1) !== 1) return no('it wants more than one run')
  if (!images.includes(container.image)) return no(`its image ${container.image} is not this program; only a cluster can run it`)
  if ((container.command ?? []).length > 0) return no('it replaces the command of the image')
  const [word, program, ...rest] = container.args ?? []
  if (word !== 'job' || program === undefined || rest.length > 0) return no('its arguments are not "job" and the name of a program')
  if (!programs.includes(program)) return no(`there is no program "${program}"; the programs are ${programs.join(', ')}`)
  const env = plainEnv(container)
  if (env === undefined) return no('its environment comes from elsewhere than from the Job')
  // There is no container around it: NODE_OPTIONS or PATH of somebody's choice would run as whoever runs this program.
  const strange = Object.keys(env).filter(name => !jobVariables.some(known => known === name))
  if (strange.length > 0)
    return no(`its environment has ${strange.join(', ').slice(0, 200)}; a program is told by ${jobVariables.join(', ')} only`)
  return { program, account: pod.serviceAccountName ?? 'default', container: container.name, env }
}

function plainEnv({ env = [], envFrom = [] }: Container): Readonly<Record<string, string>> | undefined {
  if (envFrom.length > 0 || env.some(({ valueFrom }) => valueFrom !== undefined)) return undefined
  return Object.fromEntries(env.map(({ name, value }) => [name, value ?? '']))
}
