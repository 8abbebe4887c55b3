import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assistedKinds, everyKind, metal3Kinds } from '../../src/api/kinds.ts'
import { assistedHostController } from '../../src/controllers/assisted/host/index.ts'
import { infraEnvController } from '../../src/controllers/assisted/infra-env/index.ts'
import { agents, infraEnvs } from '../../src/controllers/assisted/resources.ts'
import { hosts, images } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { openAssistedService } from '../../src/sim/assisted/service.ts'
import { coreosProgram } from '../../src/sim/machine/coreos.ts'
import { openHosts } from '../metal3/hosts.ts'
import { openImageStudio } from '../metal3/image-studio.ts'
import { agentsUrl, liveIso } from '../metal3/ramdisk-world.ts'
import { testWorld } from '../runtime/world.ts'
import { openAssisted, serviceUrl } from './world.ts'

const namespace = 'default'
const infraEnv = {
  apiVersion: 'agent-install.openshift.io/v1beta1',
  kind: 'InfraEnv',
  metadata: { name: 'edge', namespace },
  spec: {},
} as never

describe('T-71 each part by itself', () => {
  it('ZT-004 hosts and their images work where the API knows neither InfraEnvs nor Agents', async () => {
    const studio = openImageStudio(agentsUrl)
    const world = await openHosts([{ name: 'srv-1' }, { name: 'srv-2' }], { builds: true, ramdisk: {}, studio })
    await expect(world.kube.list(infraEnvs)).rejects.toThrow()
    await world.make('srv-1', { inspectionMode: 'agent', image: { url: liveIso, format: 'live-iso' } })
    await world.reaches('srv-1', 'provisioned', hours(2))
    // One with a label that nobody follows waits, and says for what.
    await world.make('srv-2', { inspectionMode: 'agent' }, { labels: { 'infraenvs.agent-install.openshift.io': 'edge' } })
    await world.until(minutes(10), 'it says what it waits for', async () =>
      ((await world.host('srv-2'))?.status?.conditions ?? []).some(({ message }) => message.includes('ignition-override-uri')),
    )
    await world.stop()
  })
  it('ZT-003 ZT-039 InfraEnvs are rendered where the API knows no hosts; a machine that somebody boots from the disc is installed', async () => {
    const world = await testWorld(assistedKinds)
    const studio = openImageStudio(agentsUrl)
    const running = world.controllers()
    running.add(kube => assistedHostController({ kube, convergedFlow: 'Auto', builds: true, takeOver: false, leastMemory: 0 }))
    const service = { url: serviceUrl, agentImage: 'registry.example/agent:1' }
    running.add(kube => infraEnvController({ kube, configs: studio.discovery, images: studio.images, service }))
    running.start()
    await world.kube.create(infraEnvs, infraEnv)
    await world.clock.advance(minutes(2))
    await expect(world.kube.list(hosts)).rejects.toThrow()
    expect(running.health()).toMatchObject({ ok: true, because: [] })
    const { status, metadata } = (await world.kube.find(infraEnvs, { name: 'edge', namespace }))!
    const network = studio.before({ fetch: async () => ({ status: 404, headers: {}, body: new Uint8Array() }) })
    const { body } = await network.fetch({ method: 'GET', url: status?.isoDownloadURL ?? '', headers: {}, server: 'any' })
    network.program?.({ server: 'any', uuid: '', mac: '', from: 'Cd', url: status?.isoDownloadURL ?? '', bytes: body })
    expect(coreosProgram(studio.booted.at(-1))).toEqual([
      { do: 'assisted-agent', assisted: { url: serviceUrl, infraEnv: metadata.uid, runs: false } },
    ])
    // What that agent does then: it registers, and there is an Agent, without any host.
    const inventory = { host_id: '0f8fad5b', inventory: { interfaces: [] } }
    const url = `/api/assisted-install/v2/infra-envs/${metadata.uid}/hosts`
    await openAssistedService(world).handler({ method: 'POST', url, headers: {}, body: Buffer.from(JSON.stringify(inventory)) })
    expect((await world.kube.list(agents, { namespace })).items).toHaveLength(1)
    await running.stop()
    await world.close()
  })
  it('ZT-024 image customisation, with what renders InfraEnvs in it, works where the API knows neither those nor hosts', async () => {
    const world = await testWorld(metal3Kinds.filter(({ kind }) => kind === 'PreprovisioningImage'))
    const studio = openImageStudio(agentsUrl)
    const running = world.controllers()
    running.add(kube => studio.controller(kube, world.clock, world.log))
    running.add(kube => infraEnvController({ kube, configs: studio.discovery, images: studio.images, service: undefined }))
    running.start()
    const image = { name: 'worker-0', namespace }
    await world.kube.create(images, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'PreprovisioningImage',
      metadata: image,
      spec: { architecture: 'x86_64', acceptFormats: ['iso'] },
    } as never)
    await world.clock.advance(minutes(1))
    expect((await world.kube.find(images, image))?.status?.imageUrl).toBeDefined()
    expect(running.health()).toMatchObject({ ok: true, because: [] })
    await running.stop()
    await world.close()
  })
})

describe('T-73 what was not to be built', () => {
  const root = join(import.meta.dirname, '../../src')
  const sources = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map(name => ({ name: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') }))

  it('ZT-051 ZT-055 no kind and no field of a kind is ours: there is the annotation, and what Metal3 and the assisted service have', () => {
    expect(assistedKinds.map(({ group, kind }) => `${kind}.${group}`)).toEqual([
      'Agent.agent-install.openshift.io',
      'InfraEnv.agent-install.openshift.io',
    ])
    const image = metal3Kinds.find(({ kind }) => kind === 'PreprovisioningImage')!
    const fields = Object.keys(image.fields['spec']?.structural.properties ?? {})
    expect(fields.toSorted()).toEqual(['acceptFormats', 'architecture', 'networkDataName'])
    const host = metal3Kinds.find(({ kind }) => kind === 'BareMetalHost')!
    expect(Object.keys(host.fields['spec']?.structural.properties ?? {}).filter(name => /infra|assisted|ignition/i.test(name))).toEqual([])
    expect(everyKind.filter(({ kind }) => /assisted|discovery/i.test(kind))).toEqual([])
  })
  it('ZT-058 the engine that installs, sets firmware and boots knows nothing of InfraEnvs: there is one way for all', () => {
    const told = [...sources('provisioner'), ...sources('controllers/metal3/host')].filter(
      ({ name, text }) =>
        /infraenv|assisted/i.test(text.replace(/infraEnvLabel|InfraEnv (describes|of)/g, '')) && !name.endsWith('host/image.ts'),
    )
    expect(told.map(({ name }) => name)).toEqual([])
  })
  it('ZT-059 ZT-060 one controller builds all images, and asks nothing of the assisted service for that', async () => {
    const world = await openAssisted()
    const asked: string[] = []
    const { service } = world
    const { handler } = service()
    const listening = (request: Parameters<typeof handler>[0]) => {
      asked.push(request.url)
      return handler(request)
    }
    Object.assign(service(), { handler: listening })
    await world.link('srv-1')
    await world.until(hours(1), 'it is booted', () => world.studio.booted.length > 0)
    expect(asked).toEqual([])
    await world.says('WaitingForPerson', hours(1))
    expect(asked.length).toBeGreaterThan(0)
    await world.stop()
  })
})
