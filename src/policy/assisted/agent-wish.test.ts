import { describe, expect, it } from 'vitest'
import { agentWish } from './agent-wish.ts'

const wishes = (annotations: Record<string, string>, infraEnvHasCluster = false) =>
  agentWish({
    host: 'worker-0',
    annotations: Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`bmac.agent-install.openshift.io${name}`, value])),
    hints: undefined,
    disks: [],
    infraEnvHasCluster,
  })

describe('agentWish()', () => {
  it('BM-05 copies role, name, pool, arguments and Ignition, approves, and names the host', () => {
    expect(
      wishes({
        '/role': 'master',
        '/hostname': 'edge-0',
        '/machine-config-pool': 'p',
        '/installer-args': '["-n"]',
        '/ignition-config-overrides': '{}',
      }),
    ).toEqual({
      labels: { 'agent-install.openshift.io/bmh': 'worker-0' },
      spec: {
        approved: true,
        role: 'master',
        hostname: 'edge-0',
        machineConfigPool: 'p',
        installerArgs: '["-n"]',
        ignitionConfigOverrides: '{}',
        nodeLabels: {},
      },
    })
  })
  it('BM-05 says nothing of what the host does not say', () =>
    expect(wishes({})).toEqual({ labels: { 'agent-install.openshift.io/bmh': 'worker-0' }, spec: { approved: true, nodeLabels: {} } }))
  it('BM-06 labels of the node, of the Agent, and the Secret for fencing', () =>
    expect(wishes({ '.node-label.zone': 'a', '.agent-label.rack': '7', '/fencing-credentials-secret-name': 'f' })).toMatchObject({
      labels: { rack: '7' },
      spec: { nodeLabels: { zone: 'a' }, fencingCredentialsSecretRef: { name: 'f' } },
    }))
  it.each([
    ['is copied', { '/cluster-reference': 'ns/edge' }, false, { spec: { clusterDeploymentName: { namespace: 'ns', name: 'edge' } } }],
    ['empty takes it out of its cluster', { '/cluster-reference': '' }, false, { spec: { clusterDeploymentName: null } }],
    [
      'and one of the InfraEnv contradict each other',
      { '/cluster-reference': 'ns/edge' },
      true,
      { wrong: expect.stringContaining('as well') },
    ],
    ['that is none is refused', { '/cluster-reference': 'edge' }, false, { wrong: expect.stringContaining('namespace/name') }],
  ])('BM-07 a reference to a cluster %s', (_, annotations, has, wanted) => expect(wishes(annotations as never, has)).toMatchObject(wanted))
})
