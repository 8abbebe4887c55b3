import { describe, expect, it } from 'vitest'
import { changing, type OpenMachine, using } from './machine.ts'

const changesOf = (asked: readonly string[] | undefined): readonly string[] => (asked ?? []).filter(call => call.startsWith('PATCH'))

export function bootContract(name: string, open: OpenMachine, changes: boolean): void {
  describe(`boot of ${name}`, () => {
    it(
      'finds the targets that the machine takes',
      using(open, async ({ bmc, known }) => {
        expect([...(await bmc.boot.targets())].toSorted()).toEqual([...known.boot.targets].toSorted())
        expect(bmc.boot.takesUri).toBe(known.boot.takesUri)
        expect(bmc.boot.always !== undefined).toBe(known.boot.continuous)
      }),
    )

    it(
      'reads the override as Redfish means it',
      using(open, async ({ bmc }) => {
        const { lasts, raw } = await bmc.boot.override()
        expect(['Once', 'Continuous', 'Disabled']).toContain(lasts)
        expect(raw).not.toBe('')
      }),
    )

    it(
      'shows at a glance what its roles say one by one',
      using(open, async ({ bmc }) => {
        const { power, evidence, override, uuid } = await bmc.glance()
        expect({ power, evidence }).toEqual({ power: await bmc.power.state(), evidence: await bmc.boot.evidence() })
        expect(uuid).toBe(bmc.identity.uuid)
        if (override) expect(override).toEqual(await bmc.boot.override())
      }),
    )

    it(
      'gives every boot option a kind',
      using(open, async ({ bmc, known }) => {
        const kinds = Object.fromEntries(((await bmc.boot.options?.()) ?? []).map(option => [option.reference, option.kind]))
        expect(kinds).toEqual(known.boot.options ?? {})
      }),
    )

    changing(changes)(
      'arms the next boot at the right place, and says nothing when it is armed so',
      using(open, async ({ bmc, known, asked }) => {
        await bmc.boot.clear()
        const before = changesOf(asked).length
        await bmc.boot.once('Pxe')
        expect(await bmc.boot.override()).toMatchObject({ target: 'Pxe', lasts: 'Once' })
        const written = changesOf(asked).slice(before)
        if (asked) expect(new Set(written)).toEqual(new Set([`PATCH ${known.boot.place}`]))
        await bmc.boot.once('Pxe')
        expect(changesOf(asked).slice(before)).toEqual(written)
        await bmc.boot.clear()
        expect(await bmc.boot.override()).toMatchObject({ lasts: 'Disabled' })
      }),
    )

    changing(changes)(
      'arms every target that it offers, and reads it back',
      using(open, async ({ bmc }) => {
        for (const target of await bmc.boot.targets()) {
          await bmc.boot.once(target)
          expect(await bmc.boot.override()).toMatchObject({ target, lasts: 'Once' })
        }
        await bmc.boot.clear()
      }),
    )

    changing(changes)(
      'passes a boot URI on where one is taken, and refuses it by name where none is',
      using(open, async ({ bmc }) => {
        const uri = 'http://boot.test/image.efi'
        if (!bmc.boot.takesUri) return expect(bmc.boot.once('UefiHttp', uri)).rejects.toMatchObject({ code: 'bmc/not-offered' })
        await bmc.boot.once('UefiHttp', uri)
        expect(await bmc.boot.override()).toMatchObject({ target: 'UefiHttp', uri })
        await bmc.boot.clear()
        return undefined
      }),
    )
  })
}
