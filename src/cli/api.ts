import { existsSync } from 'node:fs'
import { connect, kubeClient, loadConnection } from '../kube/index.ts'
import { randomIds } from '../net/random-ids.ts'
import { wallClock } from '../net/wall-clock.ts'
import type { Kube, Transport } from '../ports/index.ts'
import type { Options } from './catalogue/command.ts'
import { homeAt } from './home.ts'

/**
 * Speaks to the API as a person: the kubeconfig that was named, else that of the instance in the state folder, else what kubectl would use.
 * Commands read and write nothing but this API, so they work against a cluster as well.
 */
export const withApi = <T>(options: Options, work: (kube: Kube) => Promise<T>): Promise<T> =>
  withTransport(options, transport => work(kubeClient(transport, { clock: wallClock, ids: randomIds, userAgent: 'rackwright-cli' })))

/** The same for what is no object. */
export async function withTransport<T>(options: Options, work: (transport: Transport) => Promise<T>): Promise<T> {
  const transport = connect(await loadConnection(sourceOf(options)), wallClock)
  try {
    return await work(transport)
  } finally {
    await transport.close()
  }
}

function sourceOf(options: Options): { readonly file?: string } {
  const named = options['kubeconfig']
  if (typeof named === 'string') return { file: named }
  const { kubeconfig } = homeAt(options)
  if (options['home'] !== undefined || (process.env['KUBECONFIG'] === undefined && existsSync(kubeconfig))) return { file: kubeconfig }
  return {}
}
