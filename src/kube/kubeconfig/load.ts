import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Fault } from '../../core/fault.ts'
import type { Connection } from './connection.ts'
import { inCluster } from './in-cluster.ts'
import { type Kubeconfig, mergeKubeconfigs, readKubeconfig } from './read.ts'
import { type Choice, selectConnection } from './select.ts'

export interface Sources extends Choice {
  /** One file that must be there; nothing else is looked at. */
  readonly file?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** The file that was named, else the files of $KUBECONFIG, else ~/.kube/config, else the cluster this process runs in. */
export async function loadConnection(sources: Sources = {}): Promise<Connection> {
  const env = sources.env ?? process.env
  const files = kubeconfigFiles(sources, env)
  const found = (await Promise.all(files.map(file => readIfThere(file, sources.file !== undefined)))).filter(config => config !== undefined)
  if (found.length > 0) return selectConnection(mergeKubeconfigs(found), sources)
  const within = await inCluster(env)
  if (within) return within
  throw new Fault(
    'kubeconfig/none',
    `Cannot find a Kubernetes API: there is no ${files.join(', ')}, and this is not a pod`,
    'when-changed',
    {
      hint: 'Set KUBECONFIG to a kubeconfig file.',
    },
  )
}

function kubeconfigFiles({ file }: Sources, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  if (file !== undefined) return [file]
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter(Boolean)
  return listed.length > 0 ? [...new Set(listed)] : [join(env['HOME'] ?? homedir(), '.kube', 'config')]
}

/** A file of the list that does not exist is passed over, as kubectl does. */
async function readIfThere(file: string, required: boolean): Promise<Kubeconfig | undefined> {
  try {
    return readKubeconfig(await readFile(file, 'utf8'), file)
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    if (!required && (cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Fault('kubeconfig/unreadable', `Cannot read kubeconfig ${file}: ${(cause as Error).message}`, 'when-changed', { cause })
  }
}
