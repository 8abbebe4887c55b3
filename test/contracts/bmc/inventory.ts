import { describe, expect, it } from 'vitest'
import { type OpenMachine, using } from './machine.ts'

export function inventoryContract(name: string, open: OpenMachine): void {
  describe(`inventory of ${name}`, () => {
    it(
      'knows who it is',
      using(open, async ({ bmc, known }) => expect(bmc.identity).toMatchObject(known.identity)),
    )

    it(
      'counts processors, NICs, disks and memory',
      using(open, async ({ bmc, known }) => {
        const found = await bmc.inventory.read()
        const { processors, nics, disks, memoryBytes, some } = known.inventory
        expect({
          processors: found.processors.length,
          nics: found.nics.length,
          disks: found.disks.length,
          memoryBytes: found.memoryBytes,
        }).toEqual({ processors, nics, disks, memoryBytes })
        for (const { mac } of found.nics) expect(mac).toMatch(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/)
        if (some) expect(found).toMatchObject(some)
      }),
    )

    it(
      'needs no more requests than it says',
      using(open, async ({ bmc, known, asked }) => {
        if (!asked || !known.calls) return
        const opened = asked.length
        await bmc.inventory.read()
        expect({ open: opened, inventory: asked.length }).toEqual(known.calls)
      }),
    )
  })
}
