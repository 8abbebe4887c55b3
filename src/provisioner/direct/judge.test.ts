import { describe, expect, it } from 'vitest'
import { type Instant, minutes, seconds } from '../../core/duration.ts'
import { readBmcAddress } from '../../policy/metal3/bmc-address.ts'
import type { BmcPool } from '../../ports/bmc.ts'
import type { EngineMemory, HostOrder, Turn, Work } from '../../ports/provisioner.ts'
import { directEngine } from './index.ts'
import type { There } from './sight.ts'

const host: HostOrder = {
  namespace: 'metal3',
  name: 'worker-0',
  uid: 'u-1',
  address: readBmcAddress('redfish-virtualmedia://10.0.0.2/redfish/v1/Systems/1') as HostOrder['address'],
  systemUUID: undefined,
  inspection: 'agent',
  cleaning: 'metadata',
  image: { url: 'https://images.example/live.iso', format: 'live-iso' },
  customDeploy: undefined,
  macs: [],
  architecture: 'x86_64',
  bootMode: 'UEFI',
  rootDeviceHints: undefined,
  raid: undefined,
  off: 'soft',
  neverOff: false,
}
const sees = (more: Partial<There> = {}): There => ({
  is: 'there',
  power: 'Off',
  uuid: undefined,
  armed: { target: 'None', raw: 'None', lasts: 'Disabled' },
  slots: [{ id: '/Cd', types: ['CD'], inserted: false, by: 'action' }],
  hasMedia: true,
  takesUri: true,
  keeps: true,
  order: undefined,
  inventory: undefined,
  jobs: 0,
  ramdisk: { iso: 'https://images.example/ramdisk.iso' },
  ...more,
})
const engine = directEngine({} as BmcPool)

/** Lets a machine look the same for ever, and says what it is asked for until that is given up. */
function unmoved(of: HostOrder, work: Work, sight: There) {
  const asked: { readonly step: string; readonly at: Instant }[] = []
  let memory: EngineMemory | undefined
  for (let now = 0; now < minutes(600); now += seconds(15)) {
    const turn: Turn = engine.judge(of, work, memory, sight, now)
    if (turn.is === 'failed') return { asked, turn, at: now }
    if (turn.is === 'progress' && turn.does) asked.push({ step: turn.does.do, at: now / seconds(1) })
    if (turn.is === 'progress' && turn.memory) memory = turn.memory
  }
  return { asked, turn: undefined, at: undefined }
}

describe('a machine that never does what it is asked', () => {
  const cases: readonly (readonly [name: string, order: HostOrder, work: Work, sight: There, step: string, says: string])[] = [
    ['take a live disc', host, 'deploy', sees(), 'insert', 'drive /Cd stays empty, although it was asked 4 times'],
    ['take the ramdisk’s disc', { ...host, image: undefined }, 'inspect', sees(), 'insert', 'drive /Cd stays empty'],
    [
      'boot from it next',
      host,
      'inspect',
      sees({ slots: [{ id: '/Cd', types: ['CD'], inserted: true, image: 'https://images.example/ramdisk.iso', by: 'action' }] }),
      'bootOnce',
      'does not keep Cd for its next boot',
    ],
    ['come on', host, 'powerOn', sees(), 'switchOn', 'it does not come on'],
    ['go off', host, 'powerOff', sees({ power: 'On' }), 'switchOff', 'it does not go off'],
  ]
  it.each(cases)('to %s, is asked a few times, later and later, and then that is told', (_, order, work, sight, step, says) => {
    const { asked, turn } = unmoved(order, work, sight)
    expect(turn).toMatchObject({ is: 'failed', because: expect.stringContaining(says), retryable: true })
    const times = asked.filter(one => one.step === step).map(({ at }) => at)
    expect(times.length).toBeGreaterThanOrEqual(4)
    expect(times.length).toBeLessThanOrEqual(5)
    const gaps = times.slice(1).map((at, i) => at - times[i]!)
    expect(gaps).toEqual(gaps.toSorted((a, b) => a - b))
  })
  it('the next try begins from the start, under another number', () => {
    const { turn } = unmoved(host, 'inspect', sees())
    const ended = turn?.is === 'failed' ? turn.memory : undefined
    const again = engine.judge(host, 'inspect', ended, sees(), minutes(60))
    expect(again).toMatchObject({ is: 'progress', does: { do: 'insert' }, memory: { attempt: (ended?.attempt ?? 0) + 1 } })
  })
})

describe('a system that does not shut down', () => {
  it('I8 is asked, is asked once more because a question may get lost, has three minutes after that, and only then its power is cut', () => {
    let memory: EngineMemory | undefined
    const asked: string[] = []
    for (let now = 0; now <= minutes(6); now += seconds(15)) {
      const turn = engine.judge(host, 'powerOff', memory, sees({ power: 'On' }), now)
      if (turn.is === 'progress' && turn.does) asked.push(`${turn.does['how']} at ${now / minutes(1)}`)
      if (turn.is === 'progress' && turn.memory) memory = turn.memory
    }
    expect(asked).toEqual(['graceful at 0', 'graceful at 1', 'forced at 4'])
  })
  it('is not asked where its power is to be cut', () =>
    expect(engine.judge({ ...host, off: 'hard' }, 'powerOff', undefined, sees({ power: 'On' }), 0)).toMatchObject({
      does: { do: 'switchOff', how: 'forced' },
    }))
})

describe('a switch that has ended', () => {
  /** What a machine is asked for while somebody else turns it the other way again and again, an hour apart. */
  function meddled(of: HostOrder, work: 'powerOn' | 'powerOff', times: number) {
    const [wanted, other] = work === 'powerOn' ? (['On', 'Off'] as const) : (['Off', 'On'] as const)
    let memory: EngineMemory | undefined
    const asked: string[] = []
    for (let time = 0; time < times; time++)
      for (const power of [other, wanted]) {
        const turn = engine.judge(of, work, memory, sees({ power }), minutes(60) * time + (power === wanted ? seconds(30) : 0))
        if (turn.is === 'failed') asked.push(turn.because)
        if (turn.is === 'progress' && turn.does) asked.push(`${turn.does.do} ${turn.does['how'] ?? ''}`.trim())
        if ((turn.is === 'progress' || turn.is === 'done') && turn.memory) memory = turn.memory
      }
    return { asked, memory }
  }
  it('I8 is not counted with the next one: a machine that somebody switches on by hand again and again is asked to shut down each time', () =>
    expect(meddled(host, 'powerOff', 7).asked).toEqual(Array(7).fill('switchOff graceful')))
  it('is not counted with the next one: a machine that shuts down by itself again and again comes on each time', () =>
    expect(meddled(host, 'powerOn', 7).asked).toEqual(Array(7).fill('switchOn')))
  it('is noted once', () => {
    const { memory } = meddled(host, 'powerOn', 1)
    expect(memory).toMatchObject({ work: 'none', step: 'done' })
    expect(engine.judge(host, 'powerOn', memory, sees({ power: 'On' }), minutes(61))).toEqual({
      is: 'done',
      because: 'it is on',
      powered: true,
    })
  })
  it('is over, too, where the opposite was wanted before it came about', () => {
    const asked = engine.judge(host, 'powerOff', undefined, sees({ power: 'On' }), 0)
    const memory = asked.is === 'progress' ? asked.memory : undefined
    const stays = engine.judge(host, 'powerOn', memory, sees({ power: 'On' }), seconds(30))
    expect(stays).toMatchObject({ is: 'done', memory: { work: 'none' } })
  })
})

describe('a restart in place of being off', () => {
  const never = { ...host, neverOff: true, image: undefined }
  const on = sees({ power: 'On' })
  const noted = (() => {
    const turn = engine.judge(never, 'powerOff', undefined, on, 0)
    return turn.is === 'progress' ? turn.memory : undefined
  })()
  it('stays noted while it is asked for, so that it happens once', () =>
    expect(engine.judge(never, 'powerOff', noted, on, minutes(2))).toEqual({ is: 'done', because: 'it was restarted', powered: true }))
  it('is over once its annotation was taken away: whoever puts it there again wants another', () => {
    const over = engine.judge({ ...never, restartTold: true }, 'powerOff', noted, on, minutes(2))
    expect(over).toMatchObject({ is: 'progress', memory: { work: 'none', step: 'done' } })
    const memory = over.is === 'progress' ? over.memory : undefined
    expect(engine.judge(never, 'powerOff', memory, on, minutes(2))).toMatchObject({ does: { do: 'restart' } })
  })
})

describe('a host that runs from a disc', () => {
  const disc: There['slots'] = [{ id: '/Cd', types: ['CD'], inserted: true, image: host.image!.url, by: 'action' }]
  const once = { target: 'Cd', raw: 'Cd', lasts: 'Once' } as const
  it('is told to boot from it each time that it is switched on, where its controller keeps that for one boot only', () => {
    const off = sees({ slots: disc, keeps: false })
    expect(engine.judge(host, 'powerOn', undefined, off, 0)).toMatchObject({ does: { do: 'bootOnce', target: 'Cd' } })
    expect(engine.judge(host, 'powerOn', undefined, { ...off, armed: once }, 0)).toMatchObject({ does: { do: 'switchOn' } })
  })
  it('is told so before it is restarted, where it may not be switched off, and once', () => {
    const on = sees({ slots: disc, keeps: false, power: 'On' })
    const never = { ...host, neverOff: true }
    expect(engine.judge(never, 'powerOff', undefined, on, 0)).toMatchObject({ does: { do: 'bootOnce', target: 'Cd' } })
    const restarts = engine.judge(never, 'powerOff', undefined, { ...on, armed: once }, 0)
    expect(restarts).toMatchObject({ does: { do: 'restart' } })
    const memory = restarts.is === 'progress' ? restarts.memory : undefined
    expect(engine.judge(never, 'powerOff', memory, on, seconds(30))).toMatchObject({ is: 'progress', because: 'it is being restarted' })
  })
  it('is switched on as it is where its disc is not in: it was never installed from it', () =>
    expect(engine.judge(host, 'powerOn', undefined, sees({ keeps: false }), 0)).toMatchObject({ does: { do: 'switchOn' } }))
})

describe('how the ramdisk is booted', () => {
  const reads = (address: string): HostOrder => ({ ...host, image: undefined, address: readBmcAddress(address) as HostOrder['address'] })
  const ramdisk = { iso: 'https://images.example/r.iso', kernel: 'https://images.example/k', initramfs: 'https://images.example/i' }
  it.each([
    ['redfish-virtualmedia://a', sees({ ramdisk }), { do: 'insert', url: ramdisk.iso }],
    ['redfish-uefihttp://a', sees({ ramdisk }), { do: 'bootOnce', target: 'UefiHttp', uri: ramdisk.iso }],
    ['redfish://a', sees({ ramdisk }), { do: 'bootOnce', target: 'Pxe' }],
  ])('%s', (address, sight, does) =>
    expect(engine.judge(reads(address), 'inspect', undefined, sight, 0)).toMatchObject({ is: 'progress', does, memory: { stage: 'boot' } }),
  )
  it.each([
    [
      'redfish-virtualmedia://a',
      sees({ ramdisk: { kernel: 'x', initramfs: 'y' } }),
      'no disc is made here: set one up, too (--ramdisk-iso)',
    ],
    ['redfish-virtualmedia://a', sees({ ramdisk: {} }), 'boots its ramdisk from a disc, and none is set up'],
    ['redfish-virtualmedia://a', sees({ ramdisk, hasMedia: false, slots: undefined }), 'no virtual drive'],
    ['redfish-uefihttp://a', sees({ ramdisk, takesUri: false }), 'takes no address to boot from'],
    ['redfish://a', sees({ ramdisk: { iso: 'x' } }), 'no kernel and initramfs'],
    ['redfish://a', sees({ ramdisk: { missing: 'no ramdisk is set up for riscv64' } }), 'no ramdisk is set up for riscv64'],
  ])('%s cannot, and says why', (address, sight, because) =>
    expect(engine.judge(reads(address), 'inspect', undefined, sight, 0)).toMatchObject({
      is: 'failed',
      retryable: false,
      because: expect.stringContaining(because),
    }),
  )
})
