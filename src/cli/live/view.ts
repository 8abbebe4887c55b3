import pc from 'picocolors'
import { wallClock } from '../../net/wall-clock.ts'
import type { Kube } from '../../ports/index.ts'
import { clockTime } from '../output/age.ts'
import { hostTable } from '../output/hosts.ts'
import { type Fleet, serverTable } from '../output/servers.ts'
import { changesOf } from './changes.ts'
import { followFleet } from './follow.ts'
import { openScreen, plainLines, type Screen } from './screen.ts'

/** Shows the servers as they change, until the signal: a table that is redrawn in a terminal, a line per change in a pipe. */
export async function showFleet(kube: Kube, withHosts: boolean, footer: () => string, signal: AbortSignal): Promise<void> {
  const live = process.stdout.isTTY === true
  const screen: Screen = live ? openScreen(process.stdout) : plainLines(process.stdout)
  let before: Fleet = { servers: [], claims: [], configurations: [], hosts: [] }
  let last: Fleet | undefined
  const draw = (): void => {
    if (!last) return
    const now = wallClock.now()
    const hosts = last.hosts.length > 0 ? `\n\n${hostTable(last.hosts, now, pc)}` : ''
    screen.draw(`\n${serverTable(last, now, pc)}${hosts}\n\n${footer()}`)
  }
  // Ages move although nothing changes.
  const ticking = live ? setInterval(draw, 1_000) : undefined
  try {
    await followFleet(
      kube,
      wallClock,
      live ? 200 : 50,
      withHosts,
      fleet => {
        const now = wallClock.now()
        for (const line of changesOf(before, fleet, live ? 'claimed' : 'all')) screen.say(`${pc.dim(clockTime(now))} ${line}`)
        before = fleet
        last = fleet
        draw()
      },
      signal,
    )
  } finally {
    clearInterval(ticking)
    screen.end()
  }
}
