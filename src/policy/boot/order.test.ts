import { describe, expect, it } from 'vitest'
import { type BootOrderSeen, judgeOrder } from './order.ts'

const option = (reference: string, kind: string, enabled = true) => ({ reference, name: `${kind} ${reference}`, kind, enabled })
const options = [option('0', 'UefiShell'), option('1', 'Hdd'), option('2', 'Pxe'), option('3', 'Hdd')]
const seen = (order: readonly string[], more: Partial<BootOrderSeen> = {}): BootOrderSeen => ({
  options,
  order,
  secureBoot: 'Disabled',
  ...more,
})

describe('judgeOrder()', () => {
  it('BP-010 X-009 the EFI shell, then disks, then the network is as it should be', () => {
    expect(judgeOrder(seen(['0', '1', '3', '2']))).toMatchObject({ compliant: true, because: expect.stringContaining('startup.nsh') })
    expect(judgeOrder(seen(['0', '3', '1', '2'])), 'which disk comes first is nobody’s business').toMatchObject({ compliant: true })
  })
  const wrong: readonly (readonly [reason: string, seen: BootOrderSeen, verdict: object])[] = [
    ['the network before the disk', seen(['0', '2', '1', '3']), { reason: 'WrongOrder', wanted: ['0', '1', '3', '2'] }],
    ['the disk before the shell', seen(['1', '0', '3', '2']), { reason: 'WrongOrder', wanted: ['0', '1', '3', '2'] }],
    ['no shell at all', seen(['1', '2']), { reason: 'NoShell', wanted: undefined }],
    [
      'a shell that is switched off',
      seen(['0', '1'], { options: [option('0', 'UefiShell', false), option('1', 'Hdd')] }),
      { reason: 'NoShell' },
    ],
    [
      'T-20 Secure Boot, under which firmware skips the shell',
      seen(['0', '1', '3', '2'], { secureBoot: 'Enabled' }),
      { reason: 'SecureBoot' },
    ],
    ['an empty order', seen([]), { reason: 'NoShell', because: expect.stringContaining('it is empty') }],
  ]
  for (const [reason, given, verdict] of wrong)
    it(`X-009 ${reason} is named`, () => expect(judgeOrder(given)).toMatchObject({ compliant: false, ...verdict }))
})
