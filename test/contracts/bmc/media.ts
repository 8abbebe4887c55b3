import { describe, expect, it } from 'vitest'
import { changing, type OpenMachine, using } from './machine.ts'

export function mediaContract(name: string, open: OpenMachine, changes: boolean): void {
  describe(`virtual media of ${name}`, () => {
    it(
      'finds the slots that take a CD, and how',
      using(open, async ({ bmc, known }) => {
        expect(bmc.media === undefined).toBe(known.media === undefined)
        const cds = ((await bmc.media?.slots()) ?? []).filter(({ types }) => types.includes('CD') || types.includes('DVD'))
        expect(cds.map(({ id }) => id)).toEqual(known.media?.cds ?? [])
        for (const { by } of cds) expect(by).toBe(known.media?.by)
      }),
    )

    changing(changes)(
      'inserts an image, changes it and ejects it',
      using(open, async ({ bmc, known, settle }) => {
        const [slot] = known.media?.cds ?? []
        if (!bmc.media || slot === undefined) return
        const image = async () => (await bmc.media?.slots())?.find(({ id }) => id === slot)
        for (const iso of ['https://images.test/one.iso', 'https://images.test/two.iso']) {
          await bmc.media.eject(slot)
          await settle?.()
          await bmc.media.insert(slot, iso)
          await settle?.()
          expect(await image()).toMatchObject({ inserted: true, image: iso })
          await bmc.media.insert(slot, iso)
        }
        await bmc.media.eject(slot)
        await settle?.()
        expect(await image()).toMatchObject({ inserted: false })
        await bmc.media.eject(slot)
      }),
    )
  })
}
