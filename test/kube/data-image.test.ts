import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { crdOf } from '../../src/api/crd.ts'
import { metal3Kinds } from '../../src/api/kinds.ts'
import { pieces } from '../../src/cli/install/pieces.ts'
import { usual } from '../../src/cli/install/values.ts'
import { type BareMetalHost, type DataImage, dataImages, hosts } from '../../src/controllers/metal3/resources.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { type NewObject, type ResourceRef, resourceOf } from '../../src/ports/index.ts'
import { apply, type Lane, openLane, secrets, until } from './lane.ts'
import { type Process, start } from './processes.ts'

const bin = process.env['KUBEBUILDER_ASSETS']
const program = new URL('./programs/hurried.ts', import.meta.url).pathname
const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
const key = { name: 'metal-worker-0', namespace: 'metal-cluster' }
/** Addresses of this computer, which nobody asks: what matters is what the drives show. */
const config = 'https://127.0.0.1/image.iso'
const other = 'https://127.0.0.1/other.iso'

describe.skipIf(bin === undefined)('DataImages on a real Kubernetes', () => {
  let lane: Lane
  let operator: Process
  const image = (): Promise<DataImage | undefined> => lane.kube.find(dataImages, key)
  const discs = (): readonly string[] => Object.values(lane.rack.machine('server-1').media ?? {}).map(one => one.image)
  const power = () => lane.rack.machine('server-1').power
  const online = (to: boolean) => lane.kube.patch(hosts, key, { merge: { spec: { online: to } } })
  const restart = async (): Promise<void> => {
    const before = lane.events.length
    await lane.kube.patch(hosts, key, { merge: { metadata: { annotations: { 'reboot.metal3.io': '' } } } })
    const isOn = async () => lane.events.slice(before).some(event => event.what === 'power' && event.to === 'On')
    await until('it was restarted', isOn)
  }
  beforeAll(async () => {
    lane = await openLane(bin ?? '', { servers: 1, speed: 50, enrols: false, controllers: ['garbage-collector-controller'] })
    for (const kind of metal3Kinds) {
      const { plural } = kind
      await lane.kube.create(definitions, crdOf(kind) as KubeObject).catch(() => {})
      const isServed = () =>
        lane.kube.list(resourceOf(kind)).then(
          () => true,
          () => false,
        )
      await until(`${plural} are served`, isServed)
    }
    const [rights] = pieces.filter(({ part }) => part === 'metal3.enabled')
    for (const object of rights?.objects(usual) ?? []) await apply(lane.kube, object)
    const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
    await lane.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: key.namespace } })
    const { rack, listening } = lane.demo
    const stringData = { username: rack.username, password: rack.password('server-1') }
    await lane.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { ...key, name: 'bmc' }, stringData })
    const address = `redfish-virtualmedia+https://${new URL(listening.url('server-1')).host}`
    await lane.kube.create(hosts, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: key,
      spec: {
        online: false,
        externallyProvisioned: true,
        bmc: { address, credentialsName: 'bmc', disableCertificateVerification: true },
        inspectionMode: 'fast',
        automatedCleaningMode: 'disabled',
      },
    } as unknown as NewObject<BareMetalHost>)
    const settings = await lane.settings('rackwright-controllers', { more: { controllers: 'metal3' } })
    operator = start([program, 'operator', '8', String(Date.now()), settings])
  }, 600_000)
  afterAll(async () => {
    await operator?.stop()
    await lane?.close()
  })

  it('DI-004 DI-013 DI-014 DI-016 the host of the proposal’s sample: a host that waits switched off finds its disc when it is switched on, not before', async () => {
    const isProvisioned = async () => (await lane.kube.find(hosts, key))?.status?.provisioning?.state === 'externally provisioned'
    await until('the host is known', isProvisioned)
    const text = readFileSync(new URL('../../examples/metal3/data-image.yaml', import.meta.url), 'utf8')
    await lane.kube.create(dataImages, { ...parse(text), spec: { url: config } } as never)
    const said = async () => (await image())?.status?.conditions?.some(({ reason }) => reason === 'WaitsForRestart')
    await until('it waits', said)
    expect([discs(), (await image())?.metadata.finalizers]).toEqual([[], undefined])
    expect((await image())?.metadata.ownerReferences).toMatchObject([{ kind: 'BareMetalHost', name: key.name }])
    await online(true)
    await until('it is on', async () => power() === 'On')
    expect(discs()).toEqual([config])
    expect(await image()).toMatchObject({
      metadata: { finalizers: ['dataimage.metal3.io'] },
      status: { attachedImage: { url: config }, error: { count: 0, message: '' }, lastReconciliation: expect.any(String) },
    })
  }, 600_000)
  it('DI-018 DI-020 another address: at the next restart by annotation the one disc is out and the other is in', async () => {
    await lane.kube.patch(dataImages, key, { merge: { spec: { url: other } } })
    await restart()
    expect(discs()).toEqual([other])
    await until('that is said', async () => (await image())?.status?.attachedImage?.url === other)
  }, 600_000)
  it('DI-021 DI-022 DI-024 deleted, it is taken out at the next restart, and then it is gone', async () => {
    await lane.kube.delete(dataImages, key)
    expect([discs(), (await image())?.metadata.deletionTimestamp]).toEqual([[other], expect.any(String)])
    await restart()
    await until('it is gone', async () => (await image()) === undefined)
    expect(discs()).toEqual([])
  }, 600_000)
  it('I15 I23 the host is deleted with a disc in its drive: the disc is out, and the DataImage goes with its owner', async () => {
    const spec = { url: config, immediate: true }
    await lane.kube.create(dataImages, { apiVersion: 'metal3.io/v1alpha1', kind: 'DataImage', metadata: key, spec } as never)
    await until('it is attached at once', async () => (await image())?.status?.attachedImage?.url === config)
    expect(power()).toBe('On')
    await lane.kube.delete(hosts, key)
    await until('the host is gone', async () => (await lane.kube.find(hosts, key)) === undefined)
    expect([discs(), power()]).toEqual([[], 'Off'])
    await until('so is the DataImage', async () => (await image()) === undefined)
    expect(operator.said()).not.toContain('forbidden')
  }, 600_000)
})
