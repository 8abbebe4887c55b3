import { hostname } from 'node:os'
import { type Connection, connect, kubeClient, loadConnection } from '../../kube/index.ts'
import { randomIds } from '../../net/random-ids.ts'
import type { Clock, Kube, Log } from '../../ports/index.ts'

export interface Connected {
  readonly kube: Kube
  readonly connection: Connection
  /** Names this run of this process; two that run at once never share it. */
  readonly identity: string
  close(): Promise<void>
}

/** The Kubernetes that was named, or the one this process runs in. */
export async function openKube(
  kubeconfig: string | undefined,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  userAgent: string,
): Promise<Connected> {
  const connection = await loadConnection(kubeconfig === undefined ? {} : { file: kubeconfig })
  const transport = connect(connection, clock)
  return {
    kube: kubeClient(transport, { clock, ids: randomIds, log, userAgent }),
    connection,
    identity: `${process.env['POD_NAME'] ?? hostname()}-${randomIds.suffix(5)}`,
    close: () => transport.close(),
  }
}
