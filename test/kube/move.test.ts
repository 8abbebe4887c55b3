import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crdOf } from '../../src/api/crd.ts'
import { kinds } from '../../src/api/kinds.ts'
import { serveBoots } from '../../src/cli/compose/boot-server.ts'
import { openMetal } from '../../src/cli/compose/controllers.ts'
import { enrolRack } from '../../src/cli/compose/enrol.ts'
import { moveAll } from '../../src/cli/move/move.ts'
import { claims, configurations, servers } from '../../src/controllers/metal/resources.ts'
import { kubeClient } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type Kube, type ResourceRef, silent } from '../../src/ports/index.ts'
import { discoveryImage } from '../../src/sim/images/demo.ts'
import { embeddedHost } from '../contracts/api/embedded.ts'
import type { Host } from '../contracts/api/host.ts'
import { hurried } from './hurry.ts'
import { claimServer, type Lane, openLane, provisioned, stateOf, system, until } from './lane.ts'
import { type Process, start } from './processes.ts'

const bin = process.env['KUBEBUILDER_ASSETS']
const program = new URL('./programs/hurried.ts', import.meta.url).pathname
const main = new URL('../../src/main.ts', import.meta.url).pathname
const definitions: ResourceRef = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false }
const deployments: ResourceRef = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true }
const [server, key] = ['server-1-system-0', { name: 'c1', namespace: 'default' }]

describe.skipIf(bin === undefined)('growing up and leaving', () => {
  let lane: Lane
  let host: Host
  let operator: Process
  const began = Date.now()
  beforeAll(async () => {
    lane = await openLane(bin ?? '', { servers: 1, speed: 50, enrols: false })
    host = await embeddedHost()
  })
  afterAll(async () => {
    await operator?.stop()
    await host?.close()
    await lane?.close()
  })

  /** Everything on one machine, as `rackwright up` has it, until the claim is provisioned and its boot is over. */
  async function growUp(source: Kube): Promise<void> {
    const ports = { kube: source, clock: hurried(4, began), ids: randomIds, log: silent }
    for (const kind of kinds) await source.create(definitions, crdOf(kind))
    const folder = join(lane.cluster.folder, 'embedded-cache')
    const boot = await serveBoots({ ...ports, host: '127.0.0.1', port: lane.boot.port, folder, layouts: lane.layouts })
    const metal = openMetal({ ...ports, ...boot.shelf, tickets: boot.tickets, identity: 'embedded', probeImage: discoveryImage })
    metal.controllers.start()
    await enrolRack(source, lane.demo, system)
    const here = { ...lane, kube: source }
    await until('the server is discovered', async () => (await stateOf(here, server)) === 'Available')
    await claimServer(here, 'c1', server)
    await until('the claim is provisioned', () => provisioned(here, 'c1'))
    await until('its boot is over', async () => (await source.get(servers, { name: server })).status?.boot?.step === 'Ended')
    await metal.close()
    await boot.close()
  }

  it('BP-041 a provisioned server that moved from the embedded API cycles from disk on the real one, never over the network', async () => {
    const source = kubeClient(host.transport, { clock: wallClock, ids: randomIds })
    await growUp(source)
    const grown = lane.events.length
    expect(await moveAll({ source, target: lane.kube, manager: system, tell: () => {} })).toBeGreaterThan(3)
    expect((await lane.kube.get(configurations, key)).metadata.annotations?.['metal.ironcore.dev/provisioned']).toBe('true')
    expect((await lane.kube.get(servers, { name: server })).status?.state).toBe('Reserved')

    operator = start([program, 'operator', '4', String(began), await lane.settings('rackwright-controllers')])
    const power = (to: 'On' | 'Off') => lane.kube.patch(claims, key, { merge: { spec: { power: to } } })
    const happened = (what: string) => until(what, async () => lane.events.slice(grown).some(event => said(event) === what))
    await power('Off')
    await happened('power Off')
    await power('On')
    await happened('runs Hdd')
    expect(lane.events.slice(grown).flatMap(event => (event.what === 'boots' ? [event.from] : []))).toEqual(['Hdd'])
  }, 600_000)

  it('uninstalled, it leaves the kinds and the objects, releases what it held, and switches nothing', async () => {
    await operator.stop()
    const before = lane.events.length
    const gone = spawnSync(process.execPath, [main, 'uninstall', '--yes', '--kubeconfig', lane.cluster.kubeconfig], { encoding: 'utf8' })
    expect(gone.status, gone.stderr).toBe(0)
    expect(await lane.kube.find(deployments, { name: 'rackwright-controllers', namespace: system })).toBeUndefined()
    const left = await lane.kube.get(servers, { name: server })
    expect(left.metadata.finalizers ?? []).toEqual([])
    await lane.kube.delete(claims, key)
    await lane.kube.delete(servers, { name: server })
    await until('what nobody holds can be deleted', async () => (await lane.kube.find(servers, { name: server })) === undefined)
    expect(await lane.kube.find(definitions, { name: 'servers.metal.ironcore.dev' })).toBeDefined()
    expect(lane.events.slice(before)).toEqual([])
  })
})

const said = (event: Lane['events'][number]): string =>
  event.what === 'power' ? `power ${event.to}` : event.what === 'runs' ? `runs ${event.from}` : event.what
