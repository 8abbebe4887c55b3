import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crdOf } from '../../src/api/crd.ts'
import { metal3Kinds } from '../../src/api/kinds.ts'
import { pieces } from '../../src/cli/install/pieces.ts'
import { usual } from '../../src/cli/install/values.ts'
import { type BareMetalHost, hosts } from '../../src/controllers/metal3/resources.ts'
import { type NewObject, type ResourceRef, resourceOf } from '../../src/ports/index.ts'
import { asMetal3Has } from '../metal3/fixtures/upstream-crds.ts'
import { apply, type Lane, openLane, secrets, until } from './lane.ts'
import { type Process, start } from './processes.ts'

const bin = process.env['KUBEBUILDER_ASSETS']
const program = new URL('./programs/hurried.ts', import.meta.url).pathname
const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
const key = { name: 'server-1', namespace: 'default' }

describe.skipIf(bin === undefined)('hosts on a real Kubernetes where Metal3 has installed its kinds', () => {
  let lane: Lane
  let operator: Process
  const run = async (more: object): Promise<Process> =>
    start([
      program,
      'operator',
      '8',
      String(Date.now()),
      await lane.settings('rackwright-controllers', { more: { controllers: 'metal3', ...more } }),
    ])
  const host = (): Promise<BareMetalHost | undefined> => lane.kube.find(hosts, key)
  const is = (state: string) => until(`the host is ${state}`, async () => (await host())?.status?.provisioning?.state === state)
  beforeAll(async () => {
    lane = await openLane(bin ?? '', { servers: 1, speed: 50, enrols: false })
    for (const crd of asMetal3Has()) await lane.kube.create(definitions, crd)
    const [rights] = pieces.filter(({ part }) => part === 'metal3.enabled')
    for (const object of rights?.objects(usual) ?? []) await apply(lane.kube, object)
    for (const kind of metal3Kinds)
      await until(`${kind.plural} are served`, () =>
        lane.kube.list(resourceOf(kind)).then(
          () => true,
          () => false,
        ),
      )
    const { rack, listening } = lane.demo
    const stringData = { username: rack.username, password: rack.password('server-1') }
    await lane.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { ...key, name: 'server-1-bmc' }, stringData })
    const address = `redfish-virtualmedia+https://${new URL(listening.url('server-1')).host}`
    await lane.kube.create(hosts, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: key,
      spec: {
        online: true,
        bmc: { address, credentialsName: 'server-1-bmc', disableCertificateVerification: true },
        inspectionMode: 'fast',
        automatedCleaningMode: 'disabled',
      },
    } as unknown as NewObject<BareMetalHost>)
  }, 600_000)
  afterAll(async () => {
    await operator?.stop()
    await lane?.close()
  })

  it('X-037 observes only, and is silent: no finalizer, no status, no call to a machine', async () => {
    const calls: string[] = []
    lane.onCall = server => void calls.push(server)
    operator = await run({})
    const [, health] = await until('it runs', async () => /"health":"([^"]+)"/.exec(operator.said()) ?? undefined)
    await until('it says so', async () =>
      (await (await fetch(`${health}/metrics`)).text()).includes('rackwright_observe_only{role="metal3"} 1'),
    )
    await new Promise(resolve => setTimeout(resolve, 5_000))
    const found = await host()
    expect({ finalizers: found?.metadata.finalizers, status: found?.status, calls }).toEqual({
      finalizers: undefined,
      status: undefined,
      calls: [],
    })
    expect(await operator.stop()).toBe(0)
  }, 600_000)
  it('I2 refuses to take over kinds that would drop its notes, and names what they lack', async () => {
    operator = await run({ takeOver: 'metal3' })
    await until('it says why', async () => !operator.alive && operator.said().includes('status.engine'))
    expect(operator.said()).toContain('rackwright crds metal3')
    expect((await host())?.status).toBeUndefined()
  }, 600_000)
  it('with the kinds of this version, taken over: registered, inspected, booted from a live ISO, restarted, given back, deleted', async () => {
    for (const kind of metal3Kinds) {
      const crd = crdOf(kind)
      const { resourceVersion } = (await lane.kube.get(definitions, { name: crd.metadata.name })).metadata
      await lane.kube.update(definitions, { ...crd, metadata: { ...crd.metadata, resourceVersion: resourceVersion ?? '' } })
    }
    operator = await run({ takeOver: 'metal3' })
    await is('available')
    await lane.kube.patch(hosts, key, { merge: { spec: { image: { url: lane.disc, format: 'live-iso' } } } })
    await is('provisioned')
    await until('it runs from its disc', async () => lane.events.some(event => event.what === 'runs' && event.from === 'Cd'))
    expect((await host())?.status?.engine, 'notes are kept').toMatchObject({ work: 'deploy' })
    const before = lane.events.length
    await lane.kube.patch(hosts, key, { merge: { metadata: { annotations: { 'reboot.metal3.io': '' } } } })
    await until('it ran again', async () => lane.events.slice(before).some(event => event.what === 'runs'))
    await until('the annotation is gone', async () => (await host())?.metadata.annotations?.['reboot.metal3.io'] === undefined)
    await lane.kube.patch(hosts, key, { merge: { spec: { image: null } } })
    await is('available')
    await lane.kube.delete(hosts, key)
    await until('it is gone', async () => (await host()) === undefined)
    expect(lane.rack.machine('server-1').power).toBe('Off')
    expect(operator.said()).not.toContain('forbidden')
  }, 600_000)
  it('bootMACAddress cannot be changed once it is set, nor disablePowerOff and offline go together', async () => {
    const spec = { online: true, automatedCleaningMode: 'disabled' }
    const create = (name: string, more: object) =>
      lane.kube.create(hosts, {
        apiVersion: 'metal3.io/v1alpha1',
        kind: 'BareMetalHost',
        metadata: { name, namespace: 'default' },
        spec: { ...spec, ...more },
      } as unknown as NewObject<BareMetalHost>)
    await create('mac', { bootMACAddress: '52:54:00:12:34:56' })
    const change = (bootMACAddress: string | null) =>
      lane.kube.patch(hosts, { name: 'mac', namespace: 'default' }, { merge: { spec: { bootMACAddress } } })
    await expect(change('52:54:00:12:34:57')).rejects.toThrow('cannot be changed')
    await expect(change(null)).rejects.toThrow('cannot be changed')
    await expect(create('never-off', { online: false, disablePowerOff: true })).rejects.toThrow('cannot be offline')
  }, 600_000)
})
