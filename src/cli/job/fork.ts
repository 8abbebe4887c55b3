import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Access } from '../../jobs/forks.ts'
import type { Connection } from '../../kube/index.ts'
import type { RunOrder } from '../../ports/jobs.ts'

/** Gives a process of its own what a pod finds mounted: a kubeconfig with the token of its Job, readable by us alone, and gone afterwards. */
export function kubeconfigIn(folder: string, { server, tls, namespace }: Omit<Connection, 'login'>, order: RunOrder): Access {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const file = join(folder, `${order.job}-${order.attempt}.kubeconfig`)
  const authority = tls.authority === undefined ? {} : { 'certificate-authority-data': Buffer.from(tls.authority).toString('base64') }
  const one = (name: string, inner: string, value: object): object => ({ name, [inner]: value })
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'job',
    clusters: [one('job', 'cluster', { server, ...authority })],
    users: [one('job', 'user', { token: order.token })],
    contexts: [one('job', 'context', { cluster: 'job', user: 'job', namespace })],
  }
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
  return { env: { KUBECONFIG: file }, forget: () => rmSync(file, { force: true }) }
}
