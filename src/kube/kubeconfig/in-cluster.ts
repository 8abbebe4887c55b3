import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Fault } from '../../core/fault.ts'
import type { Connection } from './connection.ts'

const mounted = '/var/run/secrets/kubernetes.io/serviceaccount'

/** What a pod finds in itself: the API's address in its environment, its ServiceAccount in a mounted folder. Undefined outside a pod. */
export async function inCluster(env: Readonly<Record<string, string | undefined>>, folder = mounted): Promise<Connection | undefined> {
  const [host, port] = [env['KUBERNETES_SERVICE_HOST'], env['KUBERNETES_SERVICE_PORT']]
  if (!host || !port) return undefined
  const path = join(folder, 'token')
  try {
    const [authority, namespace] = await Promise.all([readFile(join(folder, 'ca.crt'), 'utf8'), readNamespace(folder), readFile(path)])
    return {
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      namespace,
      tls: { authority },
      // The kubelet rotates it in place, so it is a file to read again, not a token.
      login: { by: 'token-file', path },
      impersonation: {},
    }
  } catch (cause) {
    throw new Fault('kubeconfig/in-cluster', `Cannot use the ServiceAccount of this pod: ${(cause as Error).message}`, 'when-changed', {
      cause,
      hint: 'Let the pod mount it: automountServiceAccountToken: true.',
    })
  }
}

async function readNamespace(folder: string): Promise<string> {
  const found = await readFile(join(folder, 'namespace'), 'utf8').catch(() => '')
  return found.trim() || 'default'
}
