import { describe, expect, it } from 'vitest'
import { changing, type OpenMachine, using } from './machine.ts'

export function biosContract(name: string, open: OpenMachine, changes: boolean): void {
  describe(`BIOS of ${name}`, () => {
    it(
      'reads its version and settings',
      using(open, async ({ bmc, known }) => {
        expect(bmc.bios === undefined).toBe(known.bios === undefined)
        expect(await bmc.bios?.version()).toBe(known.bios?.version)
        expect(Object.keys((await bmc.bios?.settings()) ?? {})).toHaveLength(known.bios?.settings ?? 0)
      }),
    )

    it(
      'finds nothing pending where nothing was asked for',
      using(open, async ({ bmc }) => expect((await bmc.bios?.pending()) ?? {}).toEqual({})),
    )

    it(
      'finds the registry, whatever it is called',
      using(open, async ({ bmc, known }) => {
        if (known.bios?.registry === undefined) return
        const entries = (await bmc.bios?.registry?.()) ?? []
        expect(entries).toHaveLength(known.bios.registry)
        const settings = Object.keys((await bmc.bios?.settings()) ?? {})
        const named = new Set(entries.map(entry => entry.name))
        expect(settings.filter(setting => named.has(setting)).length).toBeGreaterThan(settings.length / 2)
      }),
    )

    changing(changes)(
      'notes what is asked for as pending until the next reset, and not twice',
      using(open, async ({ bmc, known, asked }) => {
        const change = known.bios?.change
        if (!bmc.bios || !change) return
        await bmc.bios.set(change)
        expect(await bmc.bios.pending()).toEqual(change)
        const before = (asked ?? []).filter(call => call.startsWith('PATCH')).length
        await bmc.bios.set(change)
        expect((asked ?? []).filter(call => call.startsWith('PATCH'))).toHaveLength(before)
      }),
    )

    changing(changes)(
      'refuses a setting that the machine does not have, before anything is sent',
      using(open, async ({ bmc }) => {
        if (!bmc.bios) return
        await expect(bmc.bios.set({ NoSuchSettingAnywhere: 1 })).rejects.toMatchObject({
          code: 'bmc/no-such-setting',
          retry: 'when-changed',
        })
      }),
    )
  })
}
