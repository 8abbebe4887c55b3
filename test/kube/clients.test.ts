import { afterAll, beforeAll, describe } from 'vitest'
import { type Cluster, startCluster } from '../../tools/kube/cluster.ts'
import { clientNodeCases } from '../conformance/client-node.ts'
import { clientCases } from '../conformance/clients.ts'
import { kubectlCases } from '../conformance/with-kubectl.ts'

const bin = process.env['KUBEBUILDER_ASSETS']

describe.skipIf(bin === undefined)('somebody else’s clients', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(bin ?? '')
  })
  afterAll(() => cluster?.stop())
  clientCases('a real kube-apiserver', () => cluster.kubeconfig)
  clientNodeCases('a real kube-apiserver', () => cluster.kubeconfig)
  kubectlCases('a real kube-apiserver', () => cluster.kubeconfig)
})
