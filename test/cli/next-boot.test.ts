import { describe, expect, it } from 'vitest'
import { outlookOf, outlookText } from '../../src/cli/next-boot.ts'
import { condition, configuration, server } from './objects.ts'

const claimed = { serverClaimRef: { namespace: 'default', name: 'c1' } }
const reserved = server('srv-1', claimed, { state: 'Reserved' })
const installed = configuration('c1', 'srv-1', { state: 'Ready' }, { 'metal.ironcore.dev/provisioned': 'true' })
const text = (of: Partial<Parameters<typeof outlookOf>[0]>): string =>
  outlookText(outlookOf({ server: reserved, claimed: undefined, maintained: undefined, ...of }))

describe('boot <server>', () => {
  it.each([
    [
      'BP-035 a claimed one that was not installed',
      { claimed: configuration('c1', 'srv-1') },
      'srv-1 boots by Pxe (os:1): its first boot is by Pxe',
    ],
    ['BP-034 one that was', { claimed: installed }, 'srv-1 boots by Hdd: it is provisioned, so it boots from disk'],
    [
      'one whose image is not there yet',
      {
        claimed: configuration('c1', 'srv-1', {
          state: 'Error',
          conditions: [condition('ImageValid', 'False', 'X', 'it needs uki')],
        } as never),
      },
      'srv-1 boots by Pxe (os:1): its first boot is by Pxe\nFirst: it needs uki',
    ],
    [
      'one whose claim has not said it',
      {},
      'srv-1 boots nothing by itself: its claim has not said yet what it boots\nFirst: rackwright why srv-1',
    ],
    [
      'BP-062 one that stopped',
      {
        claimed: installed,
        server: server('srv-1', claimed, {
          state: 'Reserved',
          conditions: [condition('UnexpectedPowerTransition', 'True', 'NotCommanded', 'it went off')],
        } as never),
      },
      'it boots from disk\nFirst: it stopped, and waits for somebody: rackwright resume srv-1',
    ],
    [
      'T-13 one that nobody dares to boot',
      { claimed: configuration('c1', 'srv-1', { state: 'Ready' }, { 'metal.ironcore.dev/provisioned': 'perhaps' }) },
      'nothing is booted on a guess\nFirst: rackwright adopt srv-1',
    ],
    [
      'BP-065 one that is worked on',
      { server: server('srv-1', claimed, { state: 'Maintenance' }), claimed: installed, maintained: configuration('work', 'srv-1') },
      'a maintenance always boots its own image, by Pxe',
    ],
    [
      'T-26 one that is worked on without an image',
      { server: server('srv-1', {}, { state: 'Maintenance' }) },
      'nothing is told to it but its power',
    ],
    ['BP-051 a new one', { server: server('srv-1', {}, { state: 'Initial' }) }, 'srv-1 boots by Pxe: discovery always boots by PXE'],
    ['a free one', { server: server('srv-1') }, 'srv-1 boots nothing by itself: it is Available: no claim has it'],
    ['a parked one', { server: server('srv-1', {}, { state: 'Parked' }) }, 'it is parked\nFirst: rackwright unpark srv-1'],
  ] as const)('tells of %s', (_, given, says) => expect(text(given as never)).toContain(says))
})
