import { describe, expect, it } from 'vitest'
import { type OpenMachine, using } from './machine.ts'

export function managerContract(name: string, open: OpenMachine): void {
  describe(`manager of ${name}`, () => {
    it(
      'tells its health, firmware and time',
      using(open, async ({ bmc, known }) => {
        const { health, firmware } = await bmc.manager.health()
        expect(health).toBe('OK')
        expect(firmware).toBe(known.identity.bmcFirmware)
      }),
    )
  })
}

/** Nothing is ever asked for that the service did not link. */
export function fencedContract(name: string, open: OpenMachine): void {
  describe(`the client at ${name}`, () => {
    it(
      'never follows a path that the tree does not link',
      using(open, async ({ bmc, asked, linked }) => {
        await bmc.power.state()
        await bmc.boot.targets()
        await bmc.boot.options?.()
        await bmc.boot.secureBoot?.()
        await bmc.media?.slots()
        await bmc.bios?.pending()
        await bmc.bios?.registry?.()
        await bmc.firmware?.components()
        await bmc.firmware?.running()
        await bmc.inventory.read()
        await bmc.manager.health()
        if (!asked || !linked) return
        const reads = asked.filter(call => call.startsWith('GET ')).map(call => call.slice(4).replace(/[?&]\$expand=.*/, ''))
        expect(reads.filter(path => !linked.has(path))).toEqual([])
      }),
    )
  })
}
