import { afterAll, beforeAll, describe } from 'vitest'
import { type Cluster, startCluster } from '../../tools/kube/cluster.ts'
import { clientCases } from '../conformance/clients.ts'

const bin = process.env['KUBEBUILDER_ASSETS']

describe.skipIf(bin === undefined)('somebody else’s clients', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await startCluster(bin ?? '')
  })
  afterAll(() => cluster?.stop())
  clientCases('a real kube-apiserver', () => cluster.kubeconfig)
})
