import { describe, expect, it } from 'vitest'
import { agents, clusterOperators, infraEnvs } from '../../src/controllers/assisted/resources.ts'
import { images } from '../../src/controllers/metal3/resources.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import type { AgentManner } from '../../src/sim/machine/ironic-agent/manners.ts'
import { namespace } from '../metal3/hosts.ts'
import { type Assisted, openAssisted } from './world.ts'

const env = { name: 'edge', namespace }
const gone = (world: Assisted) =>
  world.until(hours(3), 'nothing is left', async () => (await world.host('srv-1')) === undefined && (await world.image()) === undefined)
const errorOf = async (world: Assisted) => (await world.host('srv-1'))?.status?.errorMessage ?? ''
/** Told on the host in both places, tried again by itself, and installed then. */
async function recovers(world: Assisted): Promise<void> {
  await world.says('WaitingForPerson', hours(4))
  await world.bind()
  await world.reaches('srv-1', 'provisioned', hours(1))
  expect(world.discs()).toEqual([])
}

describe('an installation by the assisted agent that goes wrong', () => {
  it.each<readonly [ids: string, manner: AgentManner, words: string]>([
    ['ZT-043', 'assisted exits', 'it failed (exit-code)'],
    ['ZT-043 T-69 X-031', 'assisted crashes', 'restarted 6 times without running for a minute'],
    ['T-69', 'assisted is skipped', 'it never ran: a condition of its unit is not met'],
    ['T-70', 'hangs', 'its agent has been silent'],
  ])('%s because its agent %s is told on the host, and tried again', async (_, manner, words) => {
    const world = await openAssisted()
    world.rack.machine('srv-1').agentManners = { [manner]: 1 }
    await world.link('srv-1')
    await world.until(hours(2), 'it is told', async () => (await errorOf(world)).includes(words))
    expect((await world.said())?.message).toContain(words)
    // One that hangs can not be asked any more.
    expect(world.logs.length > 0, 'what the ramdisk wrote is kept').toBe(manner !== 'hangs')
    if (manner !== 'hangs') expect(world.logs[0]).toMatch(/^srv-1 \d+: journal of srv-1$/)
    await recovers(world)
    await world.stop()
  })
  it('T-70 ZT-046 because its agent never calls is told after half an hour, and tried again', async () => {
    const world = await openAssisted()
    world.rack.machine('srv-1').agentManners = { 'never calls': 1 }
    await world.link('srv-1')
    await world.until(hours(1), 'it is told', async () => /no agent called within 3\d minutes/.test(await errorOf(world)))
    expect((await world.said())?.reason).toBe('Failed')
    await recovers(world)
    await world.stop()
  })
  it('that fails five times rests, and is tried again when its InfraEnv changes', async () => {
    const world = await openAssisted()
    world.rack.machine('srv-1').agentManners = { 'assisted exits': 5 }
    await world.link('srv-1')
    await world.until(hours(20), 'it is given up', async () => (await world.host('srv-1'))?.status?.provisioningFailCount === 5)
    await world.reaches('srv-1', 'available', hours(2))
    await world.says('Failed')
    await world.clock.advance(hours(2))
    expect(await world.state('srv-1')).toBe('available')
    expect(world.discs()).toEqual([])
    await world.kube.patch(infraEnvs, env, { merge: { spec: { sshAuthorizedKey: 'ssh-ed25519 B' } } })
    await recovers(world)
    await world.stop()
  })
  it('AP-02 whose InfraEnv changes while its agent waits is booted anew, with what that says now', async () => {
    const world = await openAssisted()
    await world.link('srv-1')
    await world.says('WaitingForPerson', hours(2))
    await world.kube.patch(infraEnvs, env, { merge: { spec: { sshAuthorizedKey: 'ssh-ed25519 NEW' } } })
    await world.reaches('srv-1', 'deprovisioning', minutes(5))
    await recovers(world)
    expect(JSON.stringify(world.studio.booted.at(-1))).toContain('ssh-ed25519 NEW')
    await world.stop()
  })
  it('AP-02 whose InfraEnv changes when it is installed is left alone', async () => {
    const world = await openAssisted()
    await world.link('srv-1')
    await recovers(world)
    const before = world.events.length
    await world.kube.patch(infraEnvs, env, { merge: { spec: { sshAuthorizedKey: 'ssh-ed25519 NEW' } } })
    await world.clock.advance(hours(2))
    const since = world.events.slice(before).filter(({ what }) => what === 'power' || what === 'reset')
    expect([await world.state('srv-1'), since]).toEqual(['provisioned', []])
    await world.stop()
  })
  it('AP-04 whose InfraEnv goes while it is prepared waits for another, and goes on', async () => {
    const world = await openAssisted()
    await world.link('srv-1', { online: false })
    await world.reaches('srv-1', 'available', hours(1))
    await world.kube.delete(infraEnvs, env)
    await world.says('InfraEnvMissing')
    expect((await world.infraEnv()) === undefined, 'what was served for it is free').toBe(true)
    await world.kube.create(infraEnvs, {
      apiVersion: 'agent-install.openshift.io/v1beta1',
      kind: 'InfraEnv',
      metadata: env,
      spec: {},
    } as never)
    await world.change('srv-1', { spec: { online: true } })
    await recovers(world)
    await world.stop()
  })
  for (const state of ['registering', 'inspecting', 'preparing', 'provisioning', 'provisioned', 'deprovisioning'])
    it(`T-67 AP-04 whose InfraEnv is deleted while it is ${state} says so, and goes on with another of its name`, async () => {
      const world = await openAssisted()
      await world.link('srv-1', state === 'preparing' ? { raid: { softwareRAIDVolumes: [{ level: '1' }] } } : {})
      if (state === 'inspecting') await world.until(minutes(10), 'its image', async () => (await world.image()) !== undefined)
      if (state === 'preparing') await world.reaches('srv-1', state, hours(1))
      if (['provisioning', 'provisioned', 'deprovisioning'].includes(state)) await world.says('WaitingForPerson', hours(2))
      if (['provisioned', 'deprovisioning'].includes(state)) await recovers(world)
      if (state === 'deprovisioning') {
        await world.service().unbind({ name: (await world.agent())?.metadata.name ?? '', namespace })
        await world.reaches('srv-1', state, minutes(5))
      }
      await world.kube.delete(infraEnvs, env)
      await world.says('InfraEnvMissing')
      expect(await world.infraEnv()).toBeUndefined()
      await world.clock.advance(minutes(20))
      const spec = {}
      await world.kube.create(infraEnvs, {
        apiVersion: 'agent-install.openshift.io/v1beta1',
        kind: 'InfraEnv',
        metadata: env,
        spec,
      } as never)
      if (state === 'provisioned') await world.says('Installed')
      else await recovers(world)
      expect([await world.state('srv-1'), world.rack.machine('srv-1').disk?.os]).toEqual(['provisioned', 'assisted'])
      await world.stop()
    })
  for (const state of ['inspecting', 'provisioning', 'provisioned', 'deprovisioning'])
    it(`T-67 I23 AP-07 BM-13 of a host that is deleted while it is ${state} leaves nothing attached`, async () => {
      const world = await openAssisted()
      await world.link('srv-1')
      if (state === 'inspecting') await world.until(minutes(10), 'its image', async () => (await world.image()) !== undefined)
      else await world.says('WaitingForPerson', hours(2))
      if (state === 'provisioned' || state === 'deprovisioning') await recovers(world)
      if (state === 'deprovisioning') {
        await world.service().unbind({ name: (await world.agent())?.metadata.name ?? '', namespace })
        await world.reaches('srv-1', state, minutes(5))
      }
      await world.remove('srv-1')
      await gone(world)
      expect(world.discs()).toEqual([])
      await world.stop()
    })
  it('ZT-046 on a machine with too little memory is not begun, and is when that is enough', async () => {
    const found = 262_144
    const enough = await openAssisted(undefined, { leastMemory: found })
    await enough.link('srv-1')
    await recovers(enough)
    await enough.stop()
    const world = await openAssisted(undefined, { leastMemory: found + 1 })
    await world.link('srv-1')
    await world.says('TooLittleMemory', hours(1))
    await world.clock.advance(hours(1))
    expect([await world.state('srv-1'), (await world.host('srv-1'))?.spec?.customDeploy]).toEqual(['available', undefined])
    await world.stop()
  })
})

describe('which flow', () => {
  const operator = (version: string) =>
    ({
      apiVersion: 'config.openshift.io/v1',
      kind: 'ClusterOperator',
      metadata: { name: 'baremetal' },
      status: { versions: [{ name: 'operator', version }] },
    }) as never
  it('ZT-033 ZT-034 ZT-053 a hub that is too old installs by live ISO, says so, and hosts linked after its update are converged', async () => {
    const world = await openAssisted([{ name: 'srv-1' }, { name: 'srv-2' }])
    await world.kube.create(clusterOperators, operator('4.11.9'))
    await world.kube.patch(clusterOperators, { name: 'baremetal' }, { merge: operator('4.11.9') }, { subresource: 'status' })
    await world.link('srv-1', { bootMACAddress: '02:5c:00:00:00:00' })
    await world.reaches('srv-1', 'provisioned', hours(1))
    expect((await world.host('srv-1'))?.spec).toMatchObject({ image: { format: 'live-iso' }, automatedCleaningMode: 'disabled' })
    expect((await world.said())?.message).toContain('ClusterOperator baremetal is at 4.11.9')
    expect(world.discs(), 'the disc stays in: nobody hears of its end').toHaveLength(1)
    await world.until(hours(1), 'ZT-003 ZT-039 the agent starts by itself and registers', async () => (await world.agent()) !== undefined)
    await world.kube.patch(clusterOperators, { name: 'baremetal' }, { merge: operator('4.16.0') }, { subresource: 'status' })
    await world.link('srv-2')
    await world.until(hours(1), 'srv-2 is', async () => (await world.host('srv-2'))?.spec?.customDeploy !== undefined)
    expect((await world.host('srv-1'))?.spec?.image, 'ZT-052 the other keeps its way').toMatchObject({ format: 'live-iso' })
    await world.stop()
  })
  it('BM-09 ZT-053 by live ISO: the installer restarts the machine, and the host is left alone from then on', async () => {
    const world = await openAssisted(undefined, { convergedFlow: 'Off' })
    await world.link('srv-1', { bootMACAddress: '02:5c:00:00:00:00' })
    await world.until(hours(2), 'its agent has called', async () => (await world.agent()) !== undefined)
    await world.clock.advance(minutes(5))
    expect((await world.agent())?.spec?.approved).toBe(true)
    await world.bind()
    await world.until(hours(1), 'it is detached', async () => (await world.host('srv-1'))?.status?.operationalStatus === 'detached')
    expect(world.rack.machine('srv-1').disk?.os).toBe('assisted')
    await world.stop()
  })
})

describe('an assisted service that is at work already', () => {
  const finalizer = 'bmac.agent-install.openshift.io/deprovision'
  it('is known by its finalizer on a host: everything there is left to it', async () => {
    const world = await openAssisted()
    await world.make(
      'srv-1',
      { inspectionMode: 'agent' },
      { labels: { 'infraenvs.agent-install.openshift.io': 'edge' }, finalizers: [finalizer] },
    )
    await world.says('StandsDown')
    await world.clock.advance(hours(1))
    expect((await world.image())?.metadata.annotations?.['baremetal.openshift.io/ignition-override-uri']).toBeUndefined()
    expect((await world.host('srv-1'))?.spec?.customDeploy).toBeUndefined()
    await world.stop()
  })
  it('is known by its finalizer on an image, and by its word there: that is not built here', async () => {
    const world = await openAssisted()
    await world.link('srv-1', { bootMACAddress: '02:5c:00:00:00:00' })
    await world.until(minutes(10), 'its image', async () => (await world.image()) !== undefined)
    const theirs = 'preprovisioningimage.agent-install.openshift.io/ai-deprovision'
    const image = await world.image()
    await world.kube.patch(
      images,
      { name: 'srv-1', namespace },
      { merge: { metadata: { finalizers: [...(image?.metadata.finalizers ?? []), theirs] } } },
    )
    await world.says('StandsDown', minutes(10))
    await world.clock.advance(minutes(30))
    expect((await world.image())?.status?.imageUrl).toBeUndefined()
    await world.stop()
  })
  it('is taken over where somebody says so: its own Ignition is used, and its agent not started by it', async () => {
    const world = await openAssisted(undefined, { takeOver: true, infraEnv: null })
    const page = 'https://real.example/discovery.ign'
    const unit = 'ExecStart=/usr/local/bin/agent --url https://assisted.example --infra-env-id x'
    world.studio.web.pages.set(page, () => ({
      status: 200,
      headers: {},
      body: Buffer.from(
        JSON.stringify({ ignition: { version: '3.1.0' }, systemd: { units: [{ name: 'agent.service', enabled: true, contents: unit }] } }),
      ),
    }))
    await world.kube.create(infraEnvs, {
      apiVersion: 'agent-install.openshift.io/v1beta1',
      kind: 'InfraEnv',
      metadata: { ...env, finalizers: ['infraenv.agent-install.openshift.io/ai-deprovision'] },
      spec: {},
    } as never)
    await world.kube.patch(
      infraEnvs,
      env,
      { merge: { status: { bootArtifacts: { discoveryIgnitionURL: page } } } },
      { subresource: 'status' },
    )
    await world.make(
      'srv-1',
      { inspectionMode: 'agent' },
      { labels: { 'infraenvs.agent-install.openshift.io': 'edge' }, finalizers: [finalizer] },
    )
    await world.until(hours(1), 'it is booted', () => world.studio.booted.length > 0)
    const units = (world.studio.booted[0] as { systemd: { units: object[] } }).systemd.units
    expect(units, 'T-68').toContainEqual({ name: 'agent.service', enabled: false, contents: unit })
    expect((await world.infraEnv())?.status?.bootArtifacts?.discoveryIgnitionURL, 'its InfraEnv is not rendered anew').toBe(page)
    await world.stop()
  })
})

it('no secret of an InfraEnv is told: neither its pull secret nor the address of its Ignition', async () => {
  const world = await openAssisted(undefined, { infraEnv: { pullSecretRef: { name: 'pull' } } })
  await world.link('srv-1')
  await world.until(minutes(10), 'it says what is missing', async () =>
    ((await world.infraEnv())?.status?.conditions ?? []).some(({ reason }) => reason === 'MissingPullSecret'),
  )
  await world.kube.create({ group: '', version: 'v1', plural: 'secrets', namespaced: true }, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'pull', namespace },
    data: { '.dockerconfigjson': btoa('{"auths":{"c4n4ry-pull":{}}}') },
  } as never)
  await world.says('WaitingForPerson', hours(2))
  const secret = new URL((await world.infraEnv())?.status?.bootArtifacts?.discoveryIgnitionURL ?? '').searchParams.get('key') ?? ''
  const told = JSON.stringify([
    await world.host('srv-1'),
    (await world.image())?.status,
    (await world.infraEnv())?.status?.conditions,
    await world.agent(),
  ])
  for (const canary of [secret, 'c4n4ry-pull', btoa('{"auths":{"c4n4ry-pull":{}}}')]) expect(told).not.toContain(canary)
  expect(secret).toHaveLength(32)
  expect((await world.kube.list(agents, { namespace })).items).toHaveLength(1)
  await world.stop()
})
