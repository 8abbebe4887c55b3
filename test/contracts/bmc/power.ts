import { describe, expect, it } from 'vitest'
import { changing, type OpenMachine, using } from './machine.ts'

export function powerContract(name: string, open: OpenMachine, changes: boolean): void {
  describe(`power of ${name}`, () => {
    it(
      'tells the state',
      using(open, async ({ bmc, known }) => expect(await bmc.power.state()).toBe(known.power)),
    )

    changing(changes)(
      'switches on and off, and says so when looked at later',
      using(open, async ({ bmc, settle }) => {
        await bmc.power.set('Off', 'forced')
        await settle?.()
        expect(await bmc.power.state()).toBe('Off')
        await bmc.power.set('On', 'graceful')
        await settle?.()
        expect(await bmc.power.state()).toBe('On')
      }),
    )

    changing(changes)(
      'takes being told to do what is already so',
      using(open, async ({ bmc, settle }) => {
        await bmc.power.set('On', 'graceful')
        await settle?.()
        await bmc.power.set('On', 'graceful')
        expect(await bmc.power.state()).toBe('On')
      }),
    )
  })
}
