import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keepingRack, rememberRack } from '../../src/cli/compose/rack-memory.ts'
import { virtualClock } from '../../src/sim/clock/virtual.ts'
import { openRack } from '../../src/sim/rack.ts'
import { seeded, seededIds } from '../../src/sim/seed.ts'

const rackOf = () => openRack({ clock: virtualClock(), ids: seededIds(seeded('memory')), servers: ['a', 'b', 'c'].map(name => ({ name })) })

it('a simulated rack stands as it stood after a restart; a machine that was on its way has lost its power, not its disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-memory-'))
  const file = join(folder, 'rack.json')
  const before = rackOf()
  const disk = { os: 'debian-13', steps: [] }
  Object.assign(before.machine('a'), { power: 'On', stage: 'running', source: 'Hdd', disk, lastReset: 1_000 })
  Object.assign(before.machine('b'), { power: 'On', stage: 'post', disk })
  keepingRack(before, file, virtualClock())()
  const after = rackOf()
  rememberRack(after, file)
  expect(after.machine('a')).toMatchObject({ power: 'On', stage: 'running', source: 'Hdd', disk, lastReset: 1_000 })
  expect(after.machine('b')).toMatchObject({ power: 'Off', stage: 'off', disk })
  expect(after.machine('c')).toMatchObject({ power: 'Off', disk: undefined })
  writeFileSync(file, 'not JSON')
  expect(() => rememberRack(rackOf(), file)).not.toThrow()
  rmSync(folder, { recursive: true })
})
