import { describe, expect, it } from 'vitest'
import { bmcs, servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { probeProgram, simImage } from '../../src/sim/images/demo.ts'
import { reset } from '../../src/sim/machine/power.ts'
import { leftovers, story } from './story.ts'

const silentProbe = [simImage('library/probe', '1', { kernel: [], initramfs: [] })]

describe('discovery', () => {
  it('BP-039 BP-051 BP-052 BP-053 BP-054 boots the probe by PXE, learns what there is, and leaves nothing behind', () =>
    story(
      async ({ then, world, server, boots }) => {
        await then.server('srv-1', minutes(5), {
          state: 'Discovery',
          boot: { purpose: 'Discovery', method: 'Pxe', step: 'Running' } as never,
        })
        expect(await leftovers(world)).toEqual(['discovery-srv-1-system-0'])
        await then.server('srv-1', minutes(10), { state: 'Available', powerState: 'Off' })
        expect(await leftovers(world)).toEqual([])
        expect(world.rack.machine('srv-1')).toMatchObject({ power: 'Off', armed: { lasts: 'Disabled' } })
        expect(boots('srv-1')).toEqual(['Pxe'])
        const { status } = await server('srv-1')
        expect(status).toMatchObject({
          manufacturer: 'Rackwright',
          model: 'Sim R1',
          serialNumber: 'SIM0000000',
          totalSystemMemory: '262144Mi',
        })
        expect(status?.processors?.[0]).toMatchObject({ architecture: 'x86_64' })
        expect(status?.networkInterfaces?.[0]).toMatchObject({ macAddress: '02:5c:00:00:00:00', neighbors: [{ systemName: 'leaf-1' }] })
        expect(status?.storages?.[0]?.drives?.length).toBeGreaterThan(0)
      },
      { undiscovered: true },
    ))

  it('BP-055 is over for a claim that comes after it: that one begins with its own first boot, and with nothing of the probe’s', () =>
    story(async ({ when, then, world, configuration, server, boots }) => {
      expect((await server('srv-1')).status).toMatchObject({ state: 'Available', boot: { purpose: 'Discovery', step: 'Ended' } })
      await when.claims('c1')
      await then.server('srv-1', minutes(5), {
        state: 'Reserved',
        boot: { purpose: 'Claim', method: 'UefiHttp', attempt: 2, configuration: { namespace: 'default', name: 'c1' } } as never,
      })
      expect((await configuration('c1'))?.metadata.annotations).toBeUndefined()
      await then.isProvisioned('c1', minutes(10))
      await then.runsFrom('srv-1', 'Hdd', minutes(15))
      expect(await leftovers(world)).toEqual([])
      expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'Hdd'])
    }))

  it('a machine whose probe says nothing is set aside with a reason, off, and tried again by itself', () =>
    story(
      async ({ then, world, condition, boots }) => {
        await then.server('srv-1', minutes(45), { state: 'Error', powerState: 'Off' })
        expect(await condition('srv-1', 'Quarantined')).toMatchObject({
          status: 'True',
          reason: 'DiscoveryFailed',
          message: expect.stringContaining('has not registered within 30 minutes'),
        })
        expect(await leftovers(world)).toEqual([])
        world.push(simImage('library/probe', '1', { kernel: probeProgram, initramfs: [] }))
        await then.server('srv-1', minutes(30), { state: 'Available' })
        expect(await condition('srv-1', 'Quarantined')).toMatchObject({ status: 'False' })
        expect(boots('srv-1')).toEqual(['Pxe', 'Pxe'])
      },
      { undiscovered: true, images: silentProbe },
    ))

  it('a machine that is set aside is tried again at once when somebody asks', () =>
    story(
      async ({ then, when, world, server }) => {
        await then.server('srv-1', minutes(45), { state: 'Error', powerState: 'Off' })
        world.push(simImage('library/probe', '1', { kernel: probeProgram, initramfs: [] }))
        await when.asks('srv-1', 'retry')
        await then.server('srv-1', minutes(6), { state: 'Available' })
        expect((await server('srv-1')).metadata.annotations?.['metal.ironcore.dev/operation']).toBeUndefined()
      },
      { undiscovered: true, images: silentProbe },
    ))

  it('X-006 a machine that runs something is not switched off to be discovered', () =>
    story(
      async ({ when, then, world, happened }) => {
        await when.passes(minutes(30))
        await then.server('srv-1', 0, { state: 'Initial', powerState: 'On' })
        expect(happened('srv-1').filter(({ what }) => what === 'power')).toHaveLength(1)
        await when.asks('srv-1', 'force-off-server')
        await then.server('srv-1', minutes(15), { state: 'Available' })
        expect(await leftovers(world)).toEqual([])
      },
      {
        undiscovered: true,
        prepare(rack) {
          const machine = rack.machine('srv-1')
          machine.disk = { os: 'somebody’s', steps: [] }
          reset(machine, 'On')
        },
      },
    ))

  it('I20 I31 two machines that report one UUID are both set aside, untouched, and go on when they can be told apart', () =>
    story(
      async ({ when, then, world, happened }) => {
        await when.passes(minutes(20))
        for (const name of ['srv-1', 'srv-2'])
          expect((await world.kube.get(bmcs, { name })).status?.conditions).toContainEqual(
            expect.objectContaining({ type: 'Ready', status: 'False', reason: 'DuplicateIdentity' }),
          )
        expect((await world.kube.list(servers)).items).toEqual([])
        expect([...happened('srv-1'), ...happened('srv-2')]).toEqual([])
        world.rack.heal('srv-2')
        for (const name of ['srv-1', 'srv-2']) await then.server(name, minutes(20), { state: 'Available' })
      },
      { undiscovered: true, servers: [{ name: 'srv-1' }, { name: 'srv-2' }], prepare: rack => rack.fault('srv-2', 'duplicate-uuid') },
    ))

  it('I20 a machine that is exchanged behind its BMC’s address is set aside and not touched, whoever has it', () =>
    story(async ({ when, then, world, happened }) => {
      await when.claims('c1', { serverRef: { name: 'srv-1-system-0' } })
      await then.server('srv-1', minutes(25), { boot: { outcome: 'Installed' } as never })
      world.rack.machine('srv-1').uuidOf = 77
      const before = happened('srv-1').length
      await when.wantsPower('c1', 'Off')
      await when.passes(minutes(30))
      await then.server('srv-1', minutes(40), { state: 'Error' })
      expect(happened('srv-1')).toHaveLength(before)
      world.rack.heal('srv-1', 'duplicate-uuid')
      await then.server('srv-1', minutes(60), { state: 'Reserved', powerState: 'Off' })
    }))
})
