import { afterAll, beforeAll, describe, it } from 'vitest'
import { connect, kubeClient, loadConnection } from '../../src/kube/index.ts'
import type { HttpTransport } from '../../src/net/client.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import type { ResourceRef } from '../../src/ports/index.ts'
import { type Cluster, startCluster } from '../../tools/kube/cluster.ts'
import { clientSuite } from '../kube-client/suite.ts'

const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const bin = process.env['KUBEBUILDER_ASSETS']

if (bin === undefined) {
  describe.skip('the client and a real kube-apiserver: KUBEBUILDER_ASSETS names no folder with its binaries', () =>
    it('is not here', () => {}))
} else {
  let cluster: Cluster
  const transports: HttpTransport[] = []
  beforeAll(async () => {
    cluster = await startCluster(bin)
  })
  afterAll(async () => {
    for (const transport of transports) await transport.close()
    await cluster.stop()
  })

  clientSuite('a real kube-apiserver', async () => {
    const connection = await loadConnection({ file: cluster.kubeconfig })
    const client = (impersonation: Record<string, string>) => {
      const transport = connect({ ...connection, impersonation }, wallClock)
      transports.push(transport)
      return kubeClient(transport, { clock: wallClock, ids: randomIds })
    }
    const kube = client({})
    const made = await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'client-' } })
    return { kube, nobody: client({ 'impersonate-user': 'nobody' }), namespace: made.metadata.name }
  })
}
