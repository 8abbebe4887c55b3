import { describe, expect, it } from 'vitest'
import { claims, configurations, maintenances, servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { multipart } from '../../src/redfish/roles/firmware-form.ts'
import { restart } from '../../src/sim/machine/power.ts'
import { story, type Words } from './story.ts'

const metal = 'metal.ironcore.dev/v1alpha1'
const key = (name: string) => ({ name, namespace: 'default' })

async function maintain({ world }: Words, name: string, spec: object = {}, metadata: object = {}): Promise<void> {
  const template = { spec: { image: 'live:1', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } } }
  await world.kube.create(maintenances, {
    apiVersion: metal,
    kind: 'ServerMaintenance',
    metadata: { ...key(name), ...metadata },
    spec: {
      serverRef: { name: 'srv-1-system-0' },
      policy: 'Enforced',
      priority: 0,
      serverPower: 'On',
      serverBootConfigurationTemplate: template,
      ...spec,
    },
  } as never)
  await world.clock.settle()
}
const stateOf = async ({ world }: Words, name: string) => (await world.kube.get(maintenances, key(name))).status?.state
const end = async ({ world }: Words, name: string): Promise<void> => {
  await world.kube.delete(maintenances, key(name))
  await world.clock.settle()
}
const gone = ({ world }: Words, name: string) =>
  world.until(minutes(20), `${name} is gone`, async () => (await world.kube.find(maintenances, key(name))) === undefined)
const installed = ({ happened }: Words): number => happened('srv-1').filter(({ what }) => what === 'installed').length

/** Somebody writes firmware, past this program. */
async function flash({ world: { rack } }: Words): Promise<void> {
  const { type, bytes } = multipart({ Targets: [] }, 'image.bin', Buffer.from('sim-firmware: BIOS 1.5'))
  const authorization = `Basic ${btoa(`${rack.username}:${rack.password('srv-1')}`)}`
  const url = '/redfish/v1/UpdateService/upload'
  const { status } = await rack.handle('srv-1', { method: 'POST', url, headers: { authorization, 'content-type': type }, body: bytes })
  expect(status).toBe(202)
}

/** A claimed server that runs from its disk. */
async function claimed(words: Words): Promise<void> {
  await words.when.claims('c1')
  await words.then.runsFrom('srv-1', 'Hdd', minutes(25))
  await words.then.server('srv-1', minutes(2), { boot: { step: 'Ended' } as never })
}

describe('a maintenance', () => {
  it('I23 of a parked server waits, says for what, and can be deleted; it begins when the server is taken back', () =>
    story(async words => {
      const { when, then, world } = words
      await when.asks('srv-1', 'park')
      await then.server('srv-1', minutes(5), ({ metadata }) => metadata.annotations?.['metal.ironcore.dev/parked'] === 'true', 'is parked')
      await maintain(words, 'work')
      await maintain(words, 'other')
      await when.passes(minutes(10))
      const { status } = await world.kube.get(maintenances, key('work'))
      expect(status).toMatchObject({ state: 'Pending', conditions: [{ type: 'Held', status: 'False', reason: 'ServerParked' }] })
      await end(words, 'other')
      await gone(words, 'other')
      await when.asks('srv-1', 'unpark')
      await then.runsFrom('srv-1', 'UefiHttp', minutes(15))
      expect(await stateOf(words, 'work')).toBe('InMaintenance')
    }))

  it('X-010 what its template does not say any more is not booted any more, within the policy as well', () =>
    story(async words => {
      const { world, when, configuration } = words
      const bootPolicy = { firstBoot: 'UefiHttp', boot: 'Hdd' }
      const spec = { image: 'live:1', bootPolicy: { ...bootPolicy, provisionedWhen: 'BootReported' } }
      await maintain(words, 'work', { serverPower: 'Off', serverBootConfigurationTemplate: { spec } })
      await when.passes(minutes(5))
      const merge = { spec: { serverBootConfigurationTemplate: { spec: { bootPolicy: { provisionedWhen: null } } } } }
      await world.kube.patch(maintenances, key('work'), { merge })
      await when.passes(minutes(1))
      const { spec: said, metadata } = (await configuration('work'))!
      expect(said.bootPolicy).toEqual(bootPolicy)
      await when.passes(minutes(10))
      expect((await configuration('work'))?.metadata.generation).toBe(metadata.generation)
    }))

  it('BP-040 BP-049 BP-063 BP-065 BP-066 BP-067 boots its own image over HTTP, and the claim goes on from its disk afterwards', () =>
    story(async words => {
      const { then, boots, configuration, world } = words
      await claimed(words)
      const before = await configuration('c1')
      await maintain(words, 'work')
      await then.server('srv-1', minutes(10), { state: 'Maintenance' })
      await then.runsFrom('srv-1', 'UefiHttp', minutes(20))
      expect(await stateOf(words, 'work')).toBe('InMaintenance')
      const own = await world.kube.get(configurations, key('work'))
      expect(own.metadata.annotations?.['metal.ironcore.dev/provisioned']).toBeUndefined()
      expect((await configuration('c1'))?.metadata.annotations).toEqual(before?.metadata.annotations)
      await end(words, 'work')
      await gone(words, 'work')
      await then.server('srv-1', minutes(20), { state: 'Reserved' })
      await then.runsFrom('srv-1', 'Hdd', minutes(20))
      expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'Hdd', 'UefiHttp', 'Hdd'])
      expect(installed(words)).toBe(1)
      expect(await world.kube.find(configurations, key('work')), 'its configuration goes with it').toBeUndefined()
    }))

  it('X-010 T-18 boots its image at every restart while it lasts: an update that restarts twice', () =>
    story(async words => {
      const { then, boots, world } = words
      await maintain(words, 'work')
      await then.runsFrom('srv-1', 'UefiHttp', minutes(20))
      for (const round of [1, 2]) {
        await world.until(minutes(10), 'the next boot is armed', () => world.rack.machine('srv-1').armed.target === 'UefiHttp')
        restart(world.rack.machine('srv-1'), 'OS')
        await world.until(
          minutes(20),
          `restart ${round} ends in the image`,
          () => boots('srv-1').filter(from => from === 'UefiHttp').length === 1 + round,
        )
        await then.runsFrom('srv-1', 'UefiHttp', minutes(10))
      }
      await end(words, 'work')
      await gone(words, 'work')
      await then.server('srv-1', minutes(60), { state: 'Available' })
    }))

  it('BP-046 waits for the owner of a claim to agree, says so, and holds nobody up who need not ask', () =>
    story(async words => {
      const { then, world } = words
      await claimed(words)
      await maintain(words, 'polite', { policy: 'OwnerApproval', priority: 100 })
      await world.clock.advance(minutes(5))
      expect(await stateOf(words, 'polite')).toBe('Pending')
      expect((await world.kube.get(claims, key('c1'))).metadata.labels).toMatchObject({ 'metal.ironcore.dev/maintenance-needed': 'true' })
      await maintain(words, 'urgent')
      await then.server('srv-1', minutes(10), { state: 'Maintenance' })
      expect(await stateOf(words, 'urgent')).toBe('InMaintenance')
      await end(words, 'urgent')
      await gone(words, 'urgent')
      await world.kube.patch(claims, key('c1'), { merge: { metadata: { labels: { 'metal.ironcore.dev/maintenance-approved': 'true' } } } })
      await world.until(minutes(30), 'the owner has agreed', async () => (await stateOf(words, 'polite')) === 'InMaintenance')
      await end(words, 'polite')
      await gone(words, 'polite')
      expect((await world.kube.get(claims, key('c1'))).metadata.labels ?? {}).toEqual({})
    }))

  it('X-012 two at once: one holds the server, the other follows without the claim booting in between', () =>
    story(async words => {
      const { then, boots, world } = words
      await claimed(words)
      await maintain(words, 'second')
      await maintain(words, 'first', { priority: 10 })
      await then.runsFrom('srv-1', 'UefiHttp', minutes(20))
      const holder = async () => (await world.kube.get(servers, { name: 'srv-1-system-0' })).spec.serverMaintenanceRef?.name
      const held = await holder()
      const other = held === 'first' ? 'second' : 'first'
      expect(await stateOf(words, other)).toBe('Pending')
      await end(words, held!)
      await gone(words, held!)
      await world.until(minutes(20), 'the other one has it', async () => (await holder()) === other)
      await then.runsFrom('srv-1', 'UefiHttp', minutes(20))
      expect(boots('srv-1').slice(3), 'no boot of the claim in between').toEqual(['UefiHttp', 'UefiHttp'])
    }))

  it('I9 deleted in the middle of its boot, it ends: nothing stays armed, and the claim’s disk is booted', () =>
    story(async words => {
      const { then, world } = words
      await claimed(words)
      await maintain(words, 'work')
      await then.server('srv-1', minutes(20), { boot: { purpose: 'Maintenance', step: 'Starting' } as never })
      await end(words, 'work')
      await gone(words, 'work')
      await then.server('srv-1', minutes(30), { state: 'Reserved' })
      await then.runsFrom('srv-1', 'Hdd', minutes(30))
      expect(installed(words)).toBe(1)
      await world.clock.advance(minutes(15))
      expect(world.rack.machine('srv-1').armed.target).toBe('None')
    }))

  it('I9 deleted while firmware is being written, it leaves the machine alone until that is done', () =>
    story(async words => {
      const { then, world } = words
      const machine = world.rack.machine('srv-1')
      await maintain(words, 'work')
      await then.runsFrom('srv-1', 'UefiHttp', minutes(20))
      await flash(words)
      expect(world.rack.busy('srv-1')).toBe(true)
      await end(words, 'work')
      await world.until(minutes(60), 'it is written', () => {
        expect([machine.power, machine.stage]).toEqual(['On', 'running'])
        return !world.rack.busy('srv-1')
      })
      await gone(words, 'work')
      await then.server('srv-1', minutes(60), { state: 'Available' })
    }))

  it('BP-027 an image without what it needs: a warning on the maintenance, the server is not taken, and it recovers', () =>
    story(async words => {
      const { world } = words
      await maintain(words, 'work', {
        serverBootConfigurationTemplate: { spec: { image: 'no-uki:1', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } } },
      })
      await world.clock.advance(minutes(5))
      expect(await stateOf(words, 'work')).toBe('Pending')
      expect((await words.server('srv-1')).spec.serverMaintenanceRef).toBeUndefined()
      expect(await world.kube.find(configurations, key('work'))).toBeUndefined()
      await world.kube.patch(maintenances, key('work'), {
        merge: { spec: { serverBootConfigurationTemplate: { spec: { image: 'live:1' } } } },
      })
      await words.then.runsFrom('srv-1', 'UefiHttp', minutes(30))
    }))

  it('X-012 one whose image does not boot holds nobody up, whatever its priority', () =>
    story(async words => {
      const { world } = words
      await maintain(words, 'first', {
        priority: 10,
        serverBootConfigurationTemplate: { spec: { image: 'no-uki:1', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } } },
      })
      await world.clock.advance(minutes(2))
      await maintain(words, 'second')
      await words.then.runsFrom('srv-1', 'UefiHttp', minutes(30))
      expect((await words.server('srv-1')).spec.serverMaintenanceRef?.name).toBe('second')
      expect(await stateOf(words, 'first')).toBe('Pending')
      await world.kube.patch(maintenances, key('first'), {
        merge: { spec: { serverBootConfigurationTemplate: { spec: { image: 'live:1' } } } },
      })
      await world.clock.advance(minutes(5))
      expect((await words.server('srv-1')).spec.serverMaintenanceRef?.name).toBe('second')
      await end(words, 'second')
      await world.until(
        minutes(60),
        'the one that was mended has the server',
        async () => (await words.server('srv-1')).spec.serverMaintenanceRef?.name === 'first',
      )
    }))

  it('T-26 I15 without a template, of a server whose first boot was armed: that is not booted, and the claim goes on afterwards', () =>
    story(async words => {
      const { when, then, world, boots } = words
      // It is armed, and does not come on.
      world.rack.fault('srv-1', 'server-error', { method: 'POST', path: 'Reset' })
      await when.claims('c1')
      await then.server('srv-1', minutes(5), { boot: { purpose: 'Claim', step: 'Starting' } as never })
      await maintain(words, 'work', { serverBootConfigurationTemplate: undefined })
      await then.server('srv-1', minutes(5), { state: 'Maintenance' })
      world.rack.heal('srv-1')
      await then.server('srv-1', minutes(15), { powerState: 'On' })
      await when.passes(minutes(15))
      expect(boots('srv-1')).not.toContain('UefiHttp')
      expect(world.rack.machine('srv-1').armed.lasts).toBe('Disabled')
      await end(words, 'work')
      await gone(words, 'work')
      await then.runsFrom('srv-1', 'Hdd', minutes(40))
      expect(installed(words)).toBe(1)
    }))

  it('T-26 without a template, a free server that was switched on is switched off at the end, and is free again', () =>
    story(async words => {
      const { then } = words
      await maintain(words, 'work', { serverBootConfigurationTemplate: undefined })
      await then.server('srv-1', minutes(15), { state: 'Maintenance', powerState: 'On' })
      await end(words, 'work')
      await gone(words, 'work')
      await then.server('srv-1', minutes(40), { state: 'Available', powerState: 'Off' })
    }))

  it('I25 a light that its BMC did not take at first is lit later, and on record only then', () =>
    story(async words => {
      const { then, world, server, when } = words
      world.rack.fault('srv-1', 'server-error', { method: 'PATCH' })
      await maintain(words, 'work', { serverBootConfigurationTemplate: undefined, locatorLED: 'Lit' })
      await when.passes(minutes(5))
      expect((await server('srv-1')).status?.indicatorLED).toBe('Unknown')
      world.rack.heal('srv-1')
      await then.server('srv-1', minutes(10), { indicatorLED: 'Lit' })
      expect(world.calls.findLast(({ method }) => method === 'PATCH')?.body).toEqual({ LocationIndicatorActive: true })
    }))

  it('T-26 without a template nothing is booted: only its power, and its light', () =>
    story(async words => {
      const { then, world, happened } = words
      await claimed(words)
      const before = happened('srv-1').length
      await maintain(words, 'work', { serverBootConfigurationTemplate: undefined, locatorLED: 'Lit' })
      await then.server('srv-1', minutes(10), { state: 'Maintenance', indicatorLED: 'Lit' })
      await world.clock.advance(minutes(10))
      await end(words, 'work')
      await gone(words, 'work')
      await then.server('srv-1', minutes(10), { state: 'Reserved', indicatorLED: 'Off' })
      expect(
        happened('srv-1')
          .slice(before)
          .filter(({ what }) => what === 'boots'),
      ).toEqual([])
    }))
})
