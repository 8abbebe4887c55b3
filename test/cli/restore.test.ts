import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteStore } from '../../src/apiserver/store/sqlite.ts'
import { openWorld } from '../../src/apiserver/world/index.ts'
import { homeAt, prepareHome } from '../../src/cli/home.ts'
import { firstLook, isRestored, markRestored } from '../../src/cli/restored.ts'
import { voidBoots } from '../../src/cli/void-boots.ts'
import { silent } from '../../src/ports/index.ts'
import { virtualClock } from '../../src/sim/clock/virtual.ts'
import { boot, server } from './objects.ts'

const resource = 'metal.ironcore.dev/servers'

it('restored boots that were open are ended as void, and the others are left alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-void-'))
  const open = async () => openWorld({ store: await openSqliteStore(folder, { log: silent }), log: silent })
  let world = await open()
  const ended = server('done', {}, { boot: boot({ step: 'Ended', outcome: 'Installed', serves: false }) })
  for (const one of [server('never'), ended, server('open', {}, { boot: boot() })])
    await world.write(resource, one.metadata.name, () => ({ put: one }))
  const before = world.list(resource).map(({ object }) => object.metadata.resourceVersion)
  await world.close()
  expect(await voidBoots(folder, Buffer.alloc(32))).toEqual(['open'])
  world = await open()
  const after = Object.fromEntries(world.list(resource).map(({ key, object }) => [key, object as typeof ended]))
  expect(after['open']?.status?.boot).toMatchObject({ step: 'Ended', outcome: 'Voided', serves: false, attempt: 2 })
  expect([after['done']?.metadata.resourceVersion, after['never']?.metadata.resourceVersion].toSorted()).toEqual(
    before.slice(0, 2).toSorted(),
  )
  await world.close()
  rmSync(folder, { recursive: true })
})

it('after a restore everything is looked at once before anything is touched, also where the first look is cut short', async () => {
  const home = homeAt({ home: mkdtempSync(join(tmpdir(), 'rackwright-look-')) })
  prepareHome(home)
  markRestored(home)
  const clock = virtualClock()
  let settled = false
  const cut = firstLook(home, clock)
  cut.begin(() => settled)()
  expect(isRestored(home)).toBe(true)
  const { looksOn, begin } = firstLook(home, clock)
  begin(() => settled)
  const pass = async (): Promise<void> => {
    const end = clock.elapsed() + 2_000
    do await clock.settle()
    while (clock.advance(end))
  }
  await pass()
  expect(looksOn()).toBe(true)
  settled = true
  await pass()
  expect([looksOn(), existsSync(join(home.data, 'restored'))]).toEqual([false, false])
  expect(firstLook(home, clock).looksOn()).toBe(false)
  rmSync(home.root, { recursive: true })
})
