import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { valves } from '../../examples/controller/valve.ts'
import { hours, minutes } from '../../src/core/duration.ts'
import { openGuard } from '../../src/sim/guard.ts'
import type { ProcessPorts, Running } from '../../src/sim/process.ts'
import { prepare, runStory } from '../../src/sim/run.ts'
import { type Motors, valveProgram } from './valve/setting.ts'
import { opens } from './valve/stories.ts'

const key = { name: 'garden', namespace: 'default' }

/** The right program, with something beside it that should not be. */
async function violationsOf(beside: (ports: ProcessPorts) => void): Promise<readonly string[]> {
  const program = (ports: ProcessPorts, motors: Motors): Running => {
    beside(ports)
    return valveProgram(ports, motors)
  }
  const story = { ...opens, setting: { ...opens.setting, program } }
  const guard = openGuard()
  try {
    return (await runStory(story, { seed: 'one', guard, disk: await prepare(story as never, guard) })).violations
  } finally {
    guard.close()
  }
}

it.each<[what: string, beside: (ports: ProcessPorts) => void, says: RegExp]>([
  ['leaves a timer behind', ({ clock }) => void clock.after(hours(9), () => {}), /^a left 1 timers behind$/],
  ['reads a file', () => void readFile(import.meta.filename), /ends outside the microtask queue; give it a port:\n.*oracles\.test\.ts/],
  [
    'goes on writing',
    ({ kube, clock }) => {
      let n = 0
      const write = async (): Promise<void> => {
        await kube.patch(valves, key, { merge: { metadata: { annotations: { n: String(n++) } } } }).catch(() => {})
        clock.after(minutes(1), () => void write())
      }
      void write()
    },
    /^no fixed point: something is still written/,
  ],
  [
    'writes past what it saw',
    ({ kube, clock }) => {
      const write = (): Promise<unknown> => kube.patch(valves, key, { merge: { metadata: { labels: { by: 'somebody' } } } })
      clock.after(minutes(2), () => void write().catch(() => {}))
    },
    /^nothing is written to a valve but over the state that was seen/,
  ],
])('a run in which a process %s is not a good one', async (_, beside, says) => {
  expect(await violationsOf(beside)).toContainEqual(expect.stringMatching(says))
})
it('a run in which nothing of the kind happens is', async () => expect(await violationsOf(() => {})).toEqual([]))
