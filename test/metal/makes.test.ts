import { describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { simImage } from '../../src/sim/images/demo.ts'
import { personalities } from '../../src/sim/personalities/index.ts'
import { story } from './story.ts'

/** How far HTTP boot goes on each make as it comes: with an address from us, with one by DHCP, switched off in the BIOS, or not at all. */
const http: Readonly<Record<string, 'by address' | 'by DHCP' | 'off' | 'not offered'>> = {
  generic: 'by address',
  ami: 'by address',
  dell: 'by DHCP',
  hpe: 'by DHCP',
  supermicro: 'off',
  lenovo: 'not offered',
  openbmc: 'not offered',
}

/** An installer that needs nothing from us once it runs: without a ticket it would get nothing. */
const plain = simImage('library/plain', '1', { uki: ['install os-1', 'reboot'] })

describe('every make', () => {
  for (const { name } of personalities) {
    const servers = [{ name: 'srv-1', personality: name }]
    it(`BP-001 BP-061 ${name} is discovered, installed by PXE, power-cycled to its disk and given back`, () =>
      story(
        async ({ when, then, boots, world }) => {
          await when.applies('claim-pxe.yaml')
          await then.server('srv-1', minutes(60), { boot: { step: 'Ended', outcome: 'Installed' } as never })
          await when.wantsPower('my-claim', 'Off')
          await then.server('srv-1', minutes(10), { powerState: 'Off' })
          await when.wantsPower('my-claim', 'On')
          await then.server('srv-1', minutes(20), { boot: { method: 'Hdd', outcome: 'Started' } as never })
          expect(boots('srv-1').filter(from => from === 'Pxe')).toHaveLength(2)
          await when.removes('my-claim')
          await then.server('srv-1', minutes(20), { state: 'Available', powerState: 'Off' })
          expect(world.rack.machine('srv-1').armed.lasts).toBe('Disabled')
        },
        { servers },
      ))
    if (http[name] === 'by address')
      it(`BP-001 BP-013 ${name} is installed over HTTP by an address with a ticket, and runs from disk`, () =>
        story(
          async ({ when, then, boots }) => {
            await when.applies('claim-http-boot.yaml')
            await then.server('srv-1', minutes(60), { boot: { step: 'Ended', outcome: 'Installed' } as never })
            expect(boots('srv-1').slice(0, 2)).toEqual(['Pxe', 'UefiHttp'])
          },
          { servers },
        ))
    if (http[name] === 'by DHCP')
      it(`BP-031 T-15 ${name} takes no address: it is installed over HTTP by what DHCP offers, and runs from disk`, () =>
        story(
          async ({ when, then, boots }) => {
            await when.claims('c1', { image: 'plain:1' })
            await then.server('srv-1', minutes(60), { boot: { step: 'Ended', outcome: 'Installed' } as never })
            expect(boots('srv-1').slice(0, 2)).toEqual(['Pxe', 'UefiHttp'])
          },
          { servers, images: [plain] },
        ))
    if (http[name] === 'off')
      it(`BP-005 I6 ${name} with HTTP boot switched off is not taken for booted, and not booted again by itself`, () =>
        story(
          async ({ when, then, configuration, boots }) => {
            await when.claims('c1', { image: 'plain:1' })
            await then.server('srv-1', minutes(90), { boot: { step: 'Ended', outcome: 'NoEvidence' } as never })
            await when.passes(minutes(90))
            expect((await configuration('c1'))?.metadata.annotations).toBeUndefined()
            expect(boots('srv-1')).toEqual(['Pxe', 'UefiShell'])
          },
          { servers, images: [plain] },
        ))
    if (http[name] === 'not offered')
      it(`BP-005 I6 ${name} says that it offers no HTTP boot, and boots nothing else instead`, () =>
        story(
          async ({ when, server, boots }) => {
            await when.claims('c1', { image: 'plain:1' })
            await when.passes(minutes(90))
            expect(boots('srv-1')).toEqual(['Pxe'])
            expect((await server('srv-1')).status?.conditions).toContainEqual(
              expect.objectContaining({ type: 'Reconciled', status: 'False', reason: 'bmc/not-offered' }),
            )
          },
          { servers, images: [plain] },
        ))
  }
  it('has an expectation for HTTP boot', () =>
    expect(Object.keys(http).toSorted()).toEqual(personalities.map(({ name }) => name).toSorted()))
})
