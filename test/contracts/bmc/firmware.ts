import { describe, expect, it } from 'vitest'
import { changing, type OpenMachine, using } from './machine.ts'

export function firmwareContract(name: string, open: OpenMachine, changes: boolean): void {
  describe(`firmware of ${name}`, () => {
    it(
      'lists its components with versions',
      using(open, async ({ bmc, known }) => {
        expect(bmc.firmware === undefined).toBe(known.firmware === undefined)
        const components = (await bmc.firmware?.components()) ?? []
        expect(components).toHaveLength(known.firmware?.components ?? 0)
        expect(new Set(components.map(({ id }) => id)).size).toBe(components.length)
      }),
    )

    it(
      'tells how images get to it',
      using(open, async ({ bmc, known }) => {
        expect((await bmc.firmware?.ways()) ?? []).toEqual(known.firmware?.ways ?? [])
      }),
    )

    changing(changes)(
      'starts an update and follows its task to an end',
      using(open, async ({ bmc, known, settle }) => {
        if (!bmc.firmware || known.firmware?.image === undefined) return
        const address = await bmc.firmware.update(known.firmware.image, undefined)
        expect(address).toBeTypeOf('string')
        for (let look = 0; look < 50; look++) {
          const { state } = await bmc.firmware.task(address!)
          if (state !== 'Running') return expect(['Succeeded', 'Gone']).toContain(state)
          await settle?.()
        }
        return expect.fail('the task never ended')
      }),
    )
  })
}
