import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type BmcAccess, type PowerState, silent } from '../../src/ports/index.ts'
import { type OpenBmc, openBmc } from '../../src/redfish/index.ts'
import { type SushyTools, startSushyTools, sushyTools } from './sushy-tools.ts'

const found = sushyTools()

if ('missing' in found) describe('our client against sushy-tools', () => it.skip(`sushy-tools is not here: ${found.missing}`, () => {}))
else
  describe('our client against sushy-tools, as it comes from PyPI', () => {
    const images = createServer((_, response) => response.end('no real image, but enough to be fetched'))
    let emulator: SushyTools
    let bmc: OpenBmc
    let iso: string
    const access = (more: Partial<BmcAccess> = {}): BmcAccess => ({
      address: emulator.url,
      system: emulator.systems[0]!,
      tls: { trust: 'System' },
      credentials: async () => ({ username: emulator.username, password: emulator.password }),
      ...more,
    })
    const options = { clock: wallClock, log: silent }
    beforeAll(async () => {
      await new Promise<void>(done => images.listen(0, '127.0.0.1', done))
      iso = `http://127.0.0.1:${(images.address() as AddressInfo).port}/image.iso`
      emulator = await startSushyTools(found.folder)
      bmc = await openBmc(access(), options)
    })
    afterAll(async () => {
      await bmc?.close()
      await emulator?.stop()
      images.close()
    })

    /** The emulator's driver takes up to eleven seconds for a transition. */
    const becomes = async (wanted: PowerState): Promise<PowerState> => {
      let state = await bmc.power.state()
      for (let look = 0; look < 100 && state !== wanted; look++) {
        await wallClock.sleep(200)
        state = await bmc.power.state()
      }
      return state
    }

    it('finds the system that was named, with its NIC and disk', async () => {
      expect(bmc.identity).toMatchObject({ manufacturer: 'Sushy Emulator', uuid: emulator.systems[0] })
      const inventory = await bmc.inventory.read()
      expect(inventory.nics.map(({ mac }) => mac)).toEqual(['00:5c:52:31:3a:90'])
      expect(inventory.disks.map(({ bytes }) => bytes)).toEqual([128_849_018_880])
    })

    it('wants one of several systems named', async () => {
      const { system: _, ...unnamed } = access()
      await expect(openBmc(unnamed, options)).rejects.toMatchObject({ code: 'bmc/several-systems' })
    })

    it('is refused with a wrong password, and says so without it', async () => {
      const wrong = access({ credentials: async () => ({ username: emulator.username, password: 'not that one' }) })
      const fault = await openBmc(wrong, options).catch((error: unknown) => error)
      expect(fault).toMatchObject({ code: 'bmc/unauthorized', retry: 'when-changed' })
      expect(String(fault)).not.toContain('not that one')
    })

    it('switches power on and off', async () => {
      await bmc.power.set('On', 'graceful')
      expect(await becomes('On')).toBe('On')
      await bmc.power.set('Off', 'forced')
      expect(await becomes('Off')).toBe('Off')
    })

    it('arms boot devices and reads them back', async () => {
      const targets = await bmc.boot.targets()
      expect(targets).toEqual(expect.arrayContaining(['Pxe', 'Cd', 'Hdd']))
      for (const target of ['Cd', 'Pxe', 'Hdd'] as const) {
        await bmc.boot.once(target)
        // This service reports every override as Continuous.
        expect(await bmc.boot.override()).toMatchObject({ target, lasts: 'Continuous' })
      }
    })

    it('inserts and ejects virtual media', async () => {
      const slots = await bmc.media!.slots()
      const cd = slots.find(({ types }) => types.includes('CD'))!
      const now = async () => (await bmc.media!.slots()).find(({ id }) => id === cd.id)
      await bmc.media!.insert(cd.id, iso)
      expect(await now()).toMatchObject({ inserted: true, image: iso })
      await bmc.media!.eject(cd.id)
      expect(await now()).toMatchObject({ inserted: false })
    })

    it('hears when the BMC cannot fetch an image', async () => {
      const cd = (await bmc.media!.slots()).find(({ types }) => types.includes('CD'))!
      await expect(bmc.media!.insert(cd.id, 'http://127.0.0.1:9/none.iso')).rejects.toMatchObject({
        code: expect.stringMatching(/^bmc\/(error|refused)$/),
      })
    })

    it('offers no BIOS role where the system shows none, and a firmware role where there is an update service', async () => {
      expect(bmc.bios).toBeUndefined()
      expect(await bmc.firmware?.ways()).toEqual(['update'])
    })
  })
