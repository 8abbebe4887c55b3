import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crdOf } from '../../src/api/crd.ts'
import { kinds } from '../../src/api/kinds.ts'
import { bmcs, claims, maintenances, readinessRules, servers } from '../../src/controllers/metal/resources.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { connect, kubeClient, loadConnection } from '../../src/kube/index.ts'
import type { HttpTransport } from '../../src/net/client.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type Kube, type ResourceRef, resourceOf } from '../../src/ports/index.ts'
import { type Cluster, startCluster } from '../../tools/kube/cluster.ts'
import { until } from './lane.ts'

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
const bin = process.env['KUBEBUILDER_ASSETS']
const metal = kinds.filter(({ group }) => group === 'metal.ironcore.dev')
const apiVersion = 'metal.ironcore.dev/v1alpha1'
const key = { name: 'c1', namespace: 'default' }

describe.skipIf(bin === undefined)(
  `rules within one object, on a real kube-apiserver${bin === undefined ? ': KUBEBUILDER_ASSETS names no folder' : ''}`,
  () => {
    let cluster: Cluster
    let transport: HttpTransport
    let kube: Kube
    const make = (of: ResourceRef, object: object): Promise<KubeObject> => kube.create(of, object as KubeObject)
    const bmc = (name: string, spec: object): object => ({
      apiVersion,
      kind: 'BMC',
      metadata: { name },
      spec: { bmcSecretRef: { name: 's' }, protocol: { name: 'Redfish', port: 443 }, ...spec },
    })
    const [access, endpointRef] = [{ ip: '10.0.0.1' }, { name: 'e1' }]
    const changed = (name: string, spec: object): Promise<unknown> => kube.patch(bmcs, { name }, { merge: { spec } })

    beforeAll(async () => {
      cluster = await startCluster(bin!)
      transport = connect(await loadConnection({ file: cluster.kubeconfig }), wallClock)
      kube = kubeClient(transport, { clock: wallClock, ids: randomIds })
      for (const kind of metal) await make(definitions, crdOf(kind))
      for (const kind of metal)
        await until(`${kind.plural} are served`, () =>
          kube.list(resourceOf(kind)).then(
            () => true,
            () => false,
          ),
        )
    })
    afterAll(async () => {
      await transport?.close()
      await cluster?.stop()
    })

    it('a BMC says once where it is, and stays there', async () => {
      await expect(make(bmcs, bmc('none', {})), 'neither').rejects.toThrow('exactly one of endpointRef and access must be set')
      await expect(make(bmcs, bmc('both', { access, endpointRef })), 'both').rejects.toThrow('exactly one of endpointRef and access')
      await make(bmcs, bmc('inline', { access }))
      await make(bmcs, bmc('seen', { endpointRef }))
      await expect(changed('inline', { access: { ip: '10.0.0.2' } }), 'another address').rejects.toThrow('access cannot be changed')
      await expect(changed('seen', { endpointRef: { name: 'e2' } }), 'another Endpoint').rejects.toThrow('endpointRef cannot be changed')
      await expect(changed('inline', { endpointRef }), 'an Endpoint besides').rejects.toThrow('exactly one of endpointRef and access')
      await expect(changed('seen', { access }), 'an address besides').rejects.toThrow('exactly one of endpointRef and access')
      await expect(changed('inline', { access: null }), 'nothing any more').rejects.toThrow('exactly one of endpointRef and access')
      await expect(changed('inline', { bmcSecretRef: { name: 'rotated' } })).resolves.toBeDefined()
    })

    it('neither the server nor the selector of a claim can be changed or taken away; a server can be filled in', async () => {
      const spec = { power: 'On', image: 'os', serverSelector: { matchLabels: { rack: '1' } } }
      await make(claims, { apiVersion, kind: 'ServerClaim', metadata: key, spec })
      const change = (more: object): Promise<unknown> => kube.patch(claims, key, { merge: { spec: more } })
      await expect(change({ serverRef: { name: 'srv-1' } })).resolves.toBeDefined()
      await expect(change({ serverRef: { name: 'srv-2' } })).rejects.toThrow('serverRef cannot be changed')
      await expect(change({ serverRef: null })).rejects.toThrow('serverRef cannot be removed')
      await expect(change({ serverSelector: { matchLabels: { rack: '2' } } })).rejects.toThrow('serverSelector cannot be changed')
      await expect(change({ serverSelector: null })).rejects.toThrow('serverSelector cannot be removed')
    })

    it('the claim of a server is taken and let go, and never turned into another', async () => {
      const serverClaimRef = { ...key, uid: 'u1' }
      await make(servers, { apiVersion, kind: 'Server', metadata: { name: 's' }, spec: { systemUUID: 'u', serverClaimRef } })
      const change = (ref: object | null): Promise<unknown> =>
        kube.patch(servers, { name: 's' }, { merge: { spec: { serverClaimRef: ref } } })
      for (const other of [{ name: 'c2' }, { namespace: 'elsewhere' }, { uid: 'u2' }])
        await expect(change(other)).rejects.toThrow('serverClaimRef cannot be changed')
      await expect(change(null)).resolves.toBeDefined()
      await expect(change({ ...serverClaimRef, name: 'c2' })).resolves.toBeDefined()
    })

    it('X-001 what a readiness rule says cannot be changed, so that no server keeps the taint of what it said before', async () => {
      const spec = { conditions: [{ type: 'Wired', requiredStatus: 'True' }], enforcementMode: 'Continuous', taint: { key: 'not-wired' } }
      await make(readinessRules, { apiVersion, kind: 'ServerReadinessRule', metadata: { name: 'wired' }, spec })
      for (const change of [
        { taint: { key: 'other' } },
        { enforcementMode: 'BootstrapOnly' },
        { serverSelector: { matchLabels: { a: 'b' } } },
      ])
        await expect(kube.patch(readinessRules, { name: 'wired' }, { merge: { spec: change } })).rejects.toThrow('spec cannot be changed')
    })

    it('X-013 the template of a maintenance is for its own server', async () => {
      const given = (serverRef: object | undefined): Promise<unknown> =>
        make(maintenances, {
          apiVersion,
          kind: 'ServerMaintenance',
          metadata: { namespace: 'default', name: `m-${JSON.stringify(serverRef ?? '').length}` },
          spec: {
            serverRef: { name: 's' },
            serverBootConfigurationTemplate: { spec: { image: 'os', ...(serverRef ? { serverRef } : {}) } },
          },
        })
      await expect(given({ name: 'another' })).rejects.toThrow('must name the server of the maintenance')
      await expect(given({ name: 's' })).resolves.toBeDefined()
      await expect(given(undefined)).resolves.toBeDefined()
    })
  },
)
