import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { crdOf } from '../../src/api/crd.ts'
import { kinds } from '../../src/api/kinds.ts'
import { findNeighbours } from '../../src/cli/operator/neighbours.ts'
import { roles } from '../../src/cli/operator/roles.ts'
import { printInstant } from '../../src/core/instant.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { kubeClient } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import type { Kube, ResourceRef } from '../../src/ports/index.ts'
import { embeddedHost } from '../contracts/api/embedded.ts'
import type { Body, Host } from '../contracts/api/host.ts'
import { asMetal3Has } from '../metal3/fixtures/upstream-crds.ts'

const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
const leases: ResourceRef = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true }
const metal = roles[0]!
const now = 1_800_000_000_000

describe('X-037 findNeighbours()', () => {
  let host: Host
  let kube: Kube
  const look = () => findNeighbours(kube, { now: () => now }, metal)
  beforeAll(async () => {
    host = await embeddedHost()
    kube = kubeClient(host.transport, { clock: wallClock, ids: randomIds })
  })
  afterAll(() => host.close())
  beforeEach(async () => {
    for (const name of metal.crds) if (await kube.find(definitions, { name })) await kube.delete(definitions, { name })
    for (const kind of kinds) if (metal.crds.includes(`${kind.plural}.${kind.group}`)) await kube.create(definitions, crdOf(kind))
  })

  it('finds nobody where the CRDs are ours', async () => expect(await look()).toEqual({ foreign: [], missing: [], live: [] }))
  it('tells CRDs that somebody else installed, with the fields they lack', async () => {
    const name = 'servers.metal.ironcore.dev'
    await kube.delete(definitions, { name })
    const theirs: Body = structuredClone(crdOf(kinds.find(({ plural }) => plural === 'servers')!))
    delete theirs.metadata.labels
    delete theirs.spec.versions[0].schema.openAPIV3Schema.properties.status.properties.boot
    await kube.create(definitions, theirs as KubeObject)
    expect((await look()).foreign).toEqual([{ crd: name, lacks: ['status.boot'] }])
  })
  it('I2 tells what Metal3’s own CRDs lack: notes of what is begun would be dropped without a word', async () => {
    const metal3 = roles.find(({ name }) => name === 'metal3')!
    for (const crd of asMetal3Has()) await kube.create(definitions, crd)
    const { foreign } = await findNeighbours(kube, { now: () => now }, metal3)
    expect(foreign).toContainEqual({
      crd: 'baremetalhosts.metal3.io',
      lacks: expect.arrayContaining(['status.engine', 'status.bmcAddress', 'status.systemUUID']),
    })
    expect(foreign).toContainEqual({
      crd: 'dataimages.metal3.io',
      lacks: expect.arrayContaining(['spec.immediate', 'status.begun', 'status.drive', 'status.tries', 'status.conditions']),
    })
    for (const name of metal3.crds) await kube.delete(definitions, { name })
  })
  it('tells CRDs that are not there', async () => {
    await kube.delete(definitions, { name: 'bmcs.metal.ironcore.dev' })
    expect((await look()).missing).toEqual(['bmcs.metal.ironcore.dev'])
  })
  const lease = async (spec: object): Promise<void> => {
    const key = { namespace: 'default', name: 'f26702e4.ironcore.dev' }
    if (await kube.find(leases, key)) await kube.delete(leases, key)
    await kube.create(leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: key, spec })
  }
  it('tells the live lease of another operator, in whatever namespace', async () => {
    await lease({ holderIdentity: 'pod-1', leaseDurationSeconds: 15, renewTime: printInstant(now - 14_000, 'micro') })
    expect((await look()).live).toEqual([{ who: 'metal-operator', lease: 'default/f26702e4.ironcore.dev', holder: 'pod-1' }])
  })
  it('takes no notice of a lease that ran out, or was let go', async () => {
    await lease({ holderIdentity: 'pod-1', leaseDurationSeconds: 15, renewTime: printInstant(now - 31_000, 'micro') })
    expect((await look()).live).toEqual([])
    await lease({ leaseDurationSeconds: 15, renewTime: printInstant(now, 'micro') })
    expect((await look()).live).toEqual([])
  })
})
