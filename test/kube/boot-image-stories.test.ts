import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { crdOf } from '../../src/api/crd.ts'
import { openshiftKinds } from '../../src/api/kinds.ts'
import { type BootImageSettings, bootImageControllers } from '../../src/controllers/boot-images/index.ts'
import {
  goldenKey,
  goldenMaps,
  histories,
  machineConfigPools,
  machineConfigurations,
  mapiSets,
  secrets,
} from '../../src/controllers/boot-images/resources.ts'
import { conditionOf } from '../../src/core/condition.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { connect, kubeClient, loadConnection } from '../../src/kube/index.ts'
import type { HttpTransport } from '../../src/net/client.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { exampleStream } from '../../src/policy/boot-images/fixture.ts'
import { reach } from '../../src/policy/boot-images/reach.ts'
import { type Kube, type ResourceRef, resourceOf, silent } from '../../src/ports/index.ts'
import { type Controllers, openControllers } from '../../src/runtime/index.ts'
import { hurriedClock } from '../../src/sim/clock/hurried.ts'
import { type Cluster, startCluster } from '../../tools/kube/cluster.ts'
import { until } from './lane.ts'

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const image = (name: string): string => `projects/rhcos-cloud/global/images/${name}`
const current = image('rhcos-9-6-20260420-0-gcp-x86-64')
const old = image('rhcos-9-4-x')
const bin = process.env['KUBEBUILDER_ASSETS']
/** Waits of the controllers are minutes; nobody here waits that long. */
const speed = 200

const streamWith = (name: string): string => {
  const next = structuredClone(exampleStream)
  next.architectures.x86_64.images.gcp.name = name
  return JSON.stringify(next)
}

describe.skipIf(bin === undefined)(
  `stories of boot images on a real control plane${bin === undefined ? ': KUBEBUILDER_ASSETS names no folder' : ''}`,
  () => {
    let cluster: Cluster
    let transport: HttpTransport
    let kube: Kube
    let controllers: Controllers | undefined
    let namespace = ''
    const make = (of: ResourceRef, object: object): Promise<KubeObject> => kube.create(of, object as KubeObject)
    const key = (name: string) => ({ name, namespace })
    const start = (settings: Partial<BootImageSettings> = {}): void => {
      const opened = openControllers({
        kube,
        clock: hurriedClock(wallClock, speed),
        ids: randomIds,
        log: silent,
        identity: 'test',
        deadline: minutes(2) * speed,
      })
      const made = bootImageControllers({ version: '4.22.3', ...settings })
      opened.add(made.machineConfiguration)
      opened.add(made.history)
      opened.start()
      controllers = opened
    }
    const machineSet = (name: string, metadata: object = {}, boots = old) => {
      const value = {
        disks: [{ boot: true, image: boots }],
        userDataSecret: { name: boots === old ? 'worker-user-data' : 'worker-user-data-managed' },
      }
      const spec = { template: { spec: { providerSpec: { value } } } }
      return make(mapiSets.of, {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'MachineSet',
        metadata: { ...key(name), ...metadata },
        spec,
      })
    }
    const boots = async (name: string) =>
      reach(await kube.get(mapiSets.of, key(name)), 'spec', 'template', 'spec', 'providerSpec', 'value', 'disks', 0, 'image')
    const becomes = (name: string, wanted: string) => until(`${name} boots ${wanted}`, async () => (await boots(name)) === wanted)
    const history = async (name: string) => (await kube.find(histories, key(`${name}-mapi-machinesets`)))?.status
    const decided = (name: string, reason: string) =>
      until(`${name} is ${reason}`, async () => conditionOf(await history(name), 'Synced')?.reason === reason)
    const optIn = async (selection: object = { mode: 'All' }): Promise<void> => {
      const spec = { managedBootImages: { machineManagers: [{ resource: 'machinesets', apiGroup: 'machine.openshift.io', selection }] } }
      if (await kube.find(machineConfigurations, { name: 'cluster' }))
        await kube.patch(machineConfigurations, { name: 'cluster' }, { merge: { spec } })
      else
        await make(machineConfigurations, {
          apiVersion: 'operator.openshift.io/v1',
          kind: 'MachineConfiguration',
          metadata: { name: 'cluster' },
          spec,
        })
    }
    const degraded = (status: string) =>
      until(`degraded is ${status}`, async () => {
        const found = await kube.get(machineConfigurations, { name: 'cluster' })
        const condition = conditionOf(found.status, 'BootImageUpdateDegraded')
        return condition?.status === status && condition
      })
    const release = (stream: string) => kube.patch(goldenMaps, goldenKey, { merge: { data: { stream } } })

    beforeAll(async () => {
      cluster = await startCluster(bin!)
      transport = connect(await loadConnection({ file: cluster.kubeconfig }), wallClock)
      kube = kubeClient(transport, { clock: wallClock, ids: randomIds })
      for (const kind of openshiftKinds) await make(definitions, crdOf(kind))
      for (const kind of openshiftKinds)
        await until(`${kind.plural} are served`, () =>
          kube.list(resourceOf(kind)).then(
            () => true,
            () => false,
          ),
        )
      await make(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: goldenKey.namespace } })
      const pool = { configuration: { name: 'rendered' } }
      await make(machineConfigPools, {
        apiVersion: 'machineconfiguration.openshift.io/v1',
        kind: 'MachineConfigPool',
        metadata: { name: 'master' },
        spec: pool,
      })
      await kube.patch(machineConfigPools, { name: 'master' }, { merge: { status: pool } }, { subresource: 'status' })
      await make(
        { group: 'config.openshift.io', version: 'v1', plural: 'infrastructures', namespaced: false },
        {
          apiVersion: 'config.openshift.io/v1',
          kind: 'Infrastructure',
          metadata: { name: 'cluster' },
        },
      )
      await kube.patch(
        { group: 'config.openshift.io', version: 'v1', plural: 'infrastructures', namespaced: false },
        { name: 'cluster' },
        { merge: { status: { platformStatus: { type: 'GCP' } } } },
        { subresource: 'status' },
      )
      await make(goldenMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: goldenKey, data: { stream: JSON.stringify(exampleStream) } })
    })
    beforeEach(async () => {
      namespace = (await make(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { generateName: 'machines-' } })).metadata.name
      const data = { userData: Buffer.from('{"ignition":{"version":"3.2.0"}}').toString('base64') }
      await make(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: key('worker-user-data-managed'), data })
      await release(JSON.stringify(exampleStream))
    })
    afterEach(async () => {
      await controllers?.stop()
      controllers = undefined
      await optIn({ mode: 'None' })
      for (const { metadata } of (await kube.list(mapiSets.of)).items)
        await kube.delete(mapiSets.of, { name: metadata.name, namespace: metadata.namespace ?? '' })
    })
    afterAll(async () => {
      await transport?.close()
      await cluster?.stop()
    })

    it('BI-079 BI-081 opting out keeps the last image', async () => {
      await machineSet('a')
      await optIn()
      start()
      await becomes('a', current)
      await optIn({ mode: 'None' })
      await decided('a', 'OptedOut')
      await release(streamWith('rhcos-next'))
      await decided('a', 'OptedOut')
      expect(await boots('a')).toBe(current)
    })
    it('BI-024 BI-037 BI-041 BI-044 an owner: named, degraded after the threshold, over when it is excluded; others go on', async () => {
      const owner = {
        apiVersion: 'v1',
        kind: 'Namespace',
        name: 'default',
        uid: (await kube.get(namespaces, { name: 'default' })).metadata.uid ?? '',
      }
      await machineSet('a', { ownerReferences: [owner], labels: { of: 'other' } })
      await machineSet('b')
      await optIn()
      start({ threshold: { failures: 3, over: seconds(2) } })
      await becomes('b', current)
      await decided('a', 'HasOwner')
      expect((await degraded('True')).message).toContain('a: Namespace default owns it')
      expect(await boots('a')).toBe(old)
      await optIn({
        mode: 'Partial',
        partial: { machineResourceSelector: { matchExpressions: [{ key: 'of', operator: 'NotIn', values: ['other'] }] } },
      })
      await degraded('False')
    })
    it('BI-039 BI-044 a stamp that never comes is told when it is overdue, and that is over when it comes', async () => {
      const pool = (status: object) => kube.patch(machineConfigPools, { name: 'master' }, { merge: { status } }, { subresource: 'status' })
      await pool({ configuration: { name: 'rendered-before' }, updatedMachineCount: 0, conditions: [{ type: 'Updating', status: 'True' }] })
      await release(streamWith('rhcos-late'))
      await machineSet('a')
      await optIn()
      start({ version: '4.22.9', stampOverdue: seconds(5) })
      expect(await degraded('True')).toMatchObject({
        reason: 'StampOverdue',
        message: expect.stringContaining('waits to be stamped for 4.22.9'),
      })
      expect(await boots('a')).toBe(old)
      await pool({ configuration: { name: 'rendered' }, updatedMachineCount: 1, conditions: [] })
      await becomes('a', 'projects/rhcos-cloud/global/images/rhcos-late')
      await degraded('False')
    })
    it('X-025 a tool that fights back is named after three rounds, and only its resource rests', async () => {
      await machineSet('a')
      await machineSet('b')
      await optIn()
      start()
      await becomes('b', current)
      const path = '/spec/template/spec/providerSpec/value/disks/0/image'
      const fight = async (): Promise<boolean> => {
        const rests = conditionOf(await history('a'), 'Synced')?.reason === 'HotLoop'
        if (!rests && (await boots('a')) === current) {
          await until('it is noticed', async () => (await history('a'))?.sync?.decision === 'Current')
          await kube.patch(mapiSets.of, key('a'), { json: [{ op: 'replace', path, value: old }] })
        }
        return rests
      }
      await until('it rests', fight)
      expect(await boots('a')).toBe(old)
      expect(await boots('b')).toBe(current)
      expect(conditionOf(await history('a'), 'Synced')?.message).toContain('puts back')
    })
    it('BI-038 a ConfigMap edited to nonsense: nothing is patched, and it goes on when it is mended', async () => {
      await release('{"architectures": ')
      await machineSet('a')
      await optIn()
      start()
      await decided('a', 'BadConfigMap')
      expect(await boots('a')).toBe(old)
      await release(JSON.stringify(exampleStream))
      await becomes('a', current)
    })
    it('BI-095 goes back to an image of its history and stays there', async () => {
      await machineSet('a', {}, current)
      await optIn()
      start()
      await decided('a', 'Current')
      await release(streamWith('rhcos-bad'))
      await becomes('a', image('rhcos-bad'))
      await kube.patch(histories, key('a-mapi-machinesets'), { merge: { spec: { restore: current } } })
      await becomes('a', current)
      await decided('a', 'Restored')
    })
    it('BI-105 T-54 one goes first; its machine fails, so it goes back and the others never change', async () => {
      for (const name of ['a', 'b']) await machineSet(name, {}, current)
      await optIn()
      start({ canary: true })
      for (const name of ['a', 'b']) await decided(name, 'Current')
      await release(streamWith('rhcos-bad'))
      await becomes('a', image('rhcos-bad'))
      await decided('b', 'Canary')
      const { uid = '' } = (await kube.get(mapiSets.of, key('a'))).metadata
      const ownerReferences = [{ apiVersion: 'machine.openshift.io/v1beta1', kind: 'MachineSet', name: 'a', uid }]
      await make(mapiSets.machines, {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'Machine',
        metadata: { ...key('a-1'), ownerReferences },
        spec: {},
      })
      await kube.patch(mapiSets.machines, key('a-1'), { merge: { status: { phase: 'Failed' } } }, { subresource: 'status' })
      await becomes('a', current)
      await decided('b', 'CanaryFailed')
      expect(await boots('b')).toBe(current)
    })
  },
)
