import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import type { Override } from '../../src/ports/index.ts'
import { catalogue, type FaultName } from '../../src/sim/misbehaviour/catalogue.ts'
import { faultOf } from './open.ts'
import { type Racked, racked } from './rack.ts'

type Story = (on: Racked, fault: (order?: Parameters<Racked['rack']['fault']>[2]) => void) => Promise<void>

const image = 'http://files.test/BIOS-2.0.0.bin'
const cdOf = async ({ bmc }: Racked): Promise<string> => (await bmc.media!.slots()).find(({ types }) => types.includes('CD'))!.id

/** A read that ends in this fault. */
const readEnds =
  (code: string, retry = 'backoff'): Story =>
  async (on, fault) => {
    fault()
    expect(await on.done(faultOf(on.bmc.power.state()))).toMatchObject({ code, retry })
  }
const listEnds: Story = async (on, fault) => {
  fault()
  expect(await on.done(faultOf(on.bmc.boot.options!()))).toMatchObject({ code: 'bmc/too-large', retry: 'backoff' })
}
/** A boot override that is armed all the same. */
const armsAnyway: Story = async (on, fault) => {
  fault()
  await on.done(on.bmc.boot.once('Pxe'))
  expect(await on.bmc.boot.override()).toMatchObject({ target: 'Pxe', lasts: 'Once' })
}
const armed = async (on: Racked): Promise<Override> => {
  await on.bmc.boot.once('UefiHttp')
  return on.bmc.boot.override()
}
/** Starts an update and looks at its task after `ms`. */
const updated = async (on: Racked, ms: number) => {
  const address = await on.bmc.firmware!.update(image, undefined)
  await on.pass(ms)
  return on.done(on.bmc.firmware!.task(address!))
}
const biosVersion = async ({ bmc }: Racked): Promise<string | undefined> =>
  (await bmc.firmware!.components()).find(({ id }) => id === 'BIOS')?.version
const nothingBad: Story = async (on, fault) => {
  fault()
  expect(await on.bmc.boot.secureBoot!()).toMatch(/Enabled|Disabled/)
}

/** What becomes of each misbehaviour in the client's hands: a clear fault with the right word on trying again, or it copes. */
const stories: Readonly<Record<Exclude<FaultName, 'certificate-changed' | 'tls-1.1-only'>, Story>> = {
  'no-answer': readEnds('bmc/no-answer'),
  'flapping-link': async (on, fault) => {
    fault()
    await on.pass(seconds(11))
    expect(await on.done(faultOf(on.bmc.power.state()))).toMatchObject({ code: 'bmc/no-answer', retry: 'backoff' })
    await on.pass(seconds(20) - (on.clock.elapsed() % seconds(20)))
    expect(await on.done(on.bmc.power.state())).toBe('Off')
  },
  'reset-mid-body': readEnds('bmc/unreachable'),
  'chunk-error': readEnds('bmc/unreachable'),
  hold: async (on, fault) => {
    fault({ times: 1, method: 'POST' })
    await on.done(on.bmc.power.set('On', 'graceful'))
    fault({ times: 1, method: 'GET' })
    expect(await on.done(faultOf(on.bmc.power.state()))).toMatchObject({ code: 'bmc/no-answer' })
    expect(await on.done(on.bmc.power.state())).toBe('On')
  },
  'truncated-json': readEnds('bmc/bad-answer'),
  'duplicated-json': readEnds('bmc/bad-answer'),
  'wrong-content-type': async (on, fault) => {
    fault()
    expect(await on.bmc.power.state()).toBe('Off')
  },
  'huge-body': readEnds('bmc/too-large'),
  'deep-json': readEnds('bmc/bad-answer'),
  'million-members': listEnds,
  'cyclic-links': listEnds,
  'wrong-types': async (on, fault) => {
    fault()
    expect(await on.bmc.power.state()).toBe('Unknown')
    const read = await on.done(on.bmc.inventory.read().catch((error: unknown) => error))
    expect(read).toEqual(expect.toSatisfy(found => 'nics' in found || String(found.code).startsWith('bmc/')))
  },
  'proto-keys': readEnds('bmc/bad-answer'),
  'stale-session': async (on, fault) => {
    fault({ times: 1 })
    expect(await on.done(on.bmc.power.state())).toBe('Off')
    expect(on.rack.counts('s1').sessions).toBe(1)
    fault()
    expect(await on.done(faultOf(on.bmc.power.state()))).toMatchObject({ code: 'bmc/unauthorized', retry: 'when-changed' })
    expect(on.rack.counts('s1').sessions).toBeLessThanOrEqual(2)
  },
  'session-cap': async (on, fault) => {
    fault()
    on.rack.fault('s1', 'stale-session', { times: 1 })
    expect(await on.done(faultOf(on.bmc.power.state()))).toMatchObject({ code: 'bmc/session-limit', retry: 'backoff' })
  },
  'login-throttle': async (on, fault) => {
    fault()
    let last: unknown
    for (let n = 0; n < 6; n++) {
      on.rack.fault('s1', 'stale-session', { times: 1 })
      last = await on.done(on.bmc.power.state().catch((error: unknown) => error))
    }
    expect(last).toMatchObject({ code: 'bmc/session-limit', retry: 'backoff' })
    on.rack.heal('s1')
    await on.pass(minutes(3))
    expect(await on.done(on.bmc.power.state())).toBe('Off')
  },
  'too-many-requests': readEnds('bmc/throttled'),
  'server-error': async (on, fault) => {
    fault({ times: 1 })
    expect(await on.done(on.bmc.power.state())).toBe('Off')
    fault()
    expect(await on.done(faultOf(on.bmc.power.state()))).toMatchObject({ code: 'bmc/error', retry: 'backoff' })
  },
  'secure-boot-500': nothingBad,
  'conflict-after-off': async (on, fault) => {
    await on.bmc.power.set('On', 'graceful')
    await on.pass(minutes(1))
    fault()
    await on.bmc.power.set('Off', 'forced')
    await on.pass(seconds(5))
    expect(await on.done(faultOf(on.bmc.power.set('On', 'graceful')))).toMatchObject({ code: 'bmc/busy', retry: 'backoff' })
    await on.pass(seconds(10))
    await on.bmc.power.set('On', 'graceful')
  },
  'refuses-during-post': async (on, fault) => {
    fault()
    await on.bmc.power.set('On', 'graceful')
    await on.pass(seconds(30))
    expect(await on.bmc.boot.evidence()).toMatchObject({ inPost: true })
    expect(await on.done(faultOf(on.bmc.boot.once('Pxe')))).toMatchObject({ code: 'bmc/in-post', retry: 'backoff' })
  },
  'weak-etag': armsAnyway,
  'empty-etag': armsAnyway,
  'changed-etag': armsAnyway,
  'finished-task-gone': async (on, fault) => {
    fault()
    expect(await updated(on, minutes(10))).toEqual({ state: 'Gone' })
  },
  'no-location': async (on, fault) => {
    fault()
    expect(await on.bmc.firmware!.update(image, undefined)).toBeUndefined()
    expect(await on.bmc.firmware!.running()).toHaveLength(1)
  },
  'redirects-elsewhere': readEnds('bmc/redirected', 'when-changed'),
  'power-null': async (on, fault) => {
    fault()
    expect(await on.bmc.power.state()).toBe('Unknown')
  },
  'power-unknown': async (on, fault) => {
    fault()
    expect(await on.bmc.power.state()).toBe('Unknown')
  },
  'power-flapping': async (on, fault) => {
    fault()
    expect(new Set([await on.bmc.power.state(), await on.bmc.power.state()])).toEqual(new Set(['On', 'Off']))
  },
  'power-lagging': async (on, fault) => {
    fault()
    await on.bmc.power.set('On', 'graceful')
    await on.pass(seconds(20))
    expect(await on.bmc.power.state()).not.toBe('On')
    await on.pass(minutes(2))
    expect(await on.bmc.power.state()).toBe('On')
  },
  'reset-ignored': async (on, fault) => {
    fault()
    await on.bmc.power.set('On', 'graceful')
    await on.pass(minutes(5))
    expect(await on.bmc.power.state()).toBe('Off')
  },
  'override-reverts': async (on, fault) => {
    fault()
    expect(await armed(on)).toMatchObject({ lasts: 'Disabled' })
  },
  'override-not-honoured': async (on, fault) => {
    fault()
    expect(await armed(on)).toMatchObject({ target: 'UefiHttp', lasts: 'Once' })
  },
  'once-not-consumed': async (on, fault) => {
    fault()
    await armed(on)
    await on.bmc.power.set('On', 'graceful')
    await on.pass(minutes(10))
    expect(await on.bmc.boot.override()).toMatchObject({ lasts: 'Once' })
    await on.bmc.boot.clear()
    expect(await on.bmc.boot.override()).toMatchObject({ lasts: 'Disabled' })
  },
  'once-consumed-early': async (on, fault) => {
    fault()
    await armed(on)
    await on.bmc.power.set('On', 'graceful')
    await on.pass(seconds(10))
    expect(await on.bmc.boot.override()).toMatchObject({ lasts: 'Disabled' })
    expect((await on.bmc.boot.evidence()).progress).not.toBe('OSRunning')
  },
  'persistent-unsupported': async (on, fault) => {
    fault()
    expect(await on.done(faultOf(on.bmc.boot.always!('Pxe')))).toMatchObject({ code: 'bmc/refused', retry: 'when-changed' })
  },
  'uefihttp-becomes-pxe': async (on, fault) => {
    fault()
    expect(await armed(on)).toMatchObject({ target: 'Pxe' })
  },
  'inserted-lies': async (on, fault) => {
    const cd = await cdOf(on)
    fault()
    await on.done(
      on.bmc
        .media!.insert(cd, 'http://files.test/a.iso')
        .catch((error: unknown) => expect(error).toMatchObject({ code: 'bmc/busy', retry: 'backoff' })),
    )
    on.rack.heal('s1')
    await on.done(on.bmc.media!.insert(cd, 'http://files.test/a.iso'))
    expect((await on.bmc.media!.slots()).find(({ id }) => id === cd)).toMatchObject({ inserted: true, image: 'http://files.test/a.iso' })
  },
  'slow-eject': async (on, fault) => {
    const cd = await cdOf(on)
    await on.bmc.media!.insert(cd, 'http://files.test/a.iso')
    fault()
    expect(await on.done(faultOf(on.bmc.media!.insert(cd, 'http://files.test/b.iso')))).toMatchObject({
      code: 'bmc/busy',
      retry: 'backoff',
    })
    await on.pass(seconds(31))
    await on.bmc.media!.insert(cd, 'http://files.test/b.iso')
  },
  'members-reordered': async (on, fault) => {
    const before = await on.bmc.inventory.read()
    fault()
    const after = await on.done(on.bmc.inventory.read())
    const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id).toSorted()
    expect([ids(after.nics), ids(after.disks), ids(after.processors)]).toEqual([
      ids(before.nics),
      ids(before.disks),
      ids(before.processors),
    ])
  },
  'members-renamed': async (on, fault) => {
    fault()
    await updated(on, minutes(10))
    expect((await on.bmc.firmware!.components()).length).toBeGreaterThan(0)
  },
  'duplicate-uuid': async (on, fault) => {
    fault()
    on.rack.fault('s1', 'stale-session', { times: 1 })
    // After a new login the machine has another identity than it was opened with, and nothing is changed.
    expect(await on.done(faultOf(on.bmc.power.set('On', 'graceful')))).toMatchObject({ code: 'bmc/another-machine', retry: 'when-changed' })
  },
  'duplicate-mac': async (on, fault) => {
    fault()
    expect((await on.bmc.inventory.read()).nics).toHaveLength(2)
  },
  'bmc-reboots-mid-update': async (on, fault) => {
    fault()
    const address = await on.bmc.firmware!.update(image, undefined)
    await on.pass(minutes(2))
    expect(await on.done(faultOf(on.bmc.firmware!.task(address!)))).toMatchObject({ code: 'bmc/unreachable', retry: 'backoff' })
    await on.pass(minutes(10))
    expect(await on.done(on.bmc.firmware!.task(address!))).toEqual({ state: 'Gone' })
  },
  'task-lost': async (on, fault) => {
    fault()
    expect(await updated(on, minutes(2))).toEqual({ state: 'Gone' })
  },
  'stuck-at-99': async (on, fault) => {
    fault()
    expect(await updated(on, minutes(50))).toMatchObject({ state: 'Running', percent: 99 })
  },
  'old-version': async (on, fault) => {
    fault()
    expect(await updated(on, minutes(10))).toMatchObject({ state: 'Succeeded' })
    expect(await biosVersion(on)).toBe('1.0.0')
  },
  rollback: async (on, fault) => {
    fault()
    expect(await updated(on, minutes(10))).toMatchObject({ state: 'Succeeded' })
  },
  'two-jobs': async (on, fault) => {
    fault()
    await on.bmc.firmware!.update(image, undefined)
    expect(await on.bmc.firmware!.running()).toHaveLength(2)
  },
  'clock-reset': async (on, fault) => {
    fault()
    expect((await on.bmc.manager.health()).time).toMatch(/^1970/)
  },
}

describe('the client and a BMC that', () => {
  for (const [name, story] of Object.entries(stories) as [keyof typeof stories, Story][])
    it(`${catalogue[name].says} (${name})`, async () => {
      const on = await racked()
      await story(on, order => on.rack.fault('s1', name, order))
      on.rack.heal('s1')
      await on.done(on.bmc.close())
      expect(on.rack.counts('s1').opened).toBeGreaterThan(0)
      expect(on.rack.counts('s1').sessions).toBe(0)
    })
})
