import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomIds } from '../../src/net/random-ids.ts'
import { claimServer, type Lane, leases, openLane, provisioned, stateOf, system, until } from './lane.ts'
import { openWay, type Process, start, type Way } from './processes.ts'

const bin = process.env['KUBEBUILDER_ASSETS']
const program = new URL('./programs/hurried.ts', import.meta.url).pathname
/** How much faster than the wall their clock goes: a lease of 12 seconds, and 60 that a new leader waits, are the most of a run. */
const speed = '4'

/** A replica of the operator, with a way to the API of its own. */
interface Replica {
  readonly process: Process
  readonly way: Way
  identity(): string | undefined
}

const blows = {
  'killed (SIGKILL)': { strike: ({ process }: Replica) => process.signal('SIGKILL'), heal: () => {} },
  'frozen (SIGSTOP) and let go later': {
    strike: ({ process }: Replica) => process.signal('SIGSTOP'),
    heal: ({ process }: Replica) => process.signal('SIGCONT'),
  },
  'cut off from the API for a while': { strike: ({ way }: Replica) => way.cut(), heal: ({ way }: Replica) => way.mend() },
} as const

describe.skipIf(bin === undefined)('two replicas of the operator on a real Kubernetes, as processes', () => {
  let lane: Lane
  let bootServer: Process
  const replicas: Replica[] = []
  const began = String(Date.now())
  const unanswered: string[] = []
  const over = new AbortController()
  let asking: Promise<void> = Promise.resolve()

  const launch = async (): Promise<Replica> => {
    const way = await openWay(Number(new URL(lane.cluster.url).port))
    const file = await lane.settings('rackwright-controllers', { apiPort: way.port, name: `operator-${randomIds.suffix(5)}` })
    const running = start([program, 'operator', speed, began, file])
    const replica = { process: running, way, identity: () => /"identity":"([^"]+)","health"/.exec(running.said())?.[1] }
    replicas.push(replica)
    return replica
  }
  const holder = async (): Promise<string> => {
    const lease = await lane.kube.find(leases, { namespace: system, name: 'rackwright-controllers' })
    return (lease?.['spec'] as { holderIdentity?: string } | undefined)?.holderIdentity ?? ''
  }
  const leader = (not?: Replica): Promise<Replica> =>
    until('a replica leads', async () => {
      const name = await holder()
      return replicas.find(replica => replica !== not && replica.process.alive && replica.identity() === name)
    })
  /** Machines would notice: from its first answer on, the boot server is asked all the time. */
  const keepAsking = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const answer = await fetch(`${lane.boot.url}/healthz`, { headers: { connection: 'close' } }).then(
        ({ status }) => String(status),
        error => String(error),
      )
      if (answer !== '200') unanswered.push(answer)
      await setTimeout(100)
    }
  }

  beforeAll(async () => {
    lane = await openLane(bin ?? '', { servers: 6, speed: 100 })
    bootServer = start([program, 'boot-server', speed, began, await lane.settings('rackwright-boot-server')])
    for (const { identity } of await Promise.all([launch(), launch()])) await until('both replicas run', async () => identity())
    await until('the boot server answers', () =>
      fetch(`${lane.boot.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    asking = keepAsking()
    for (const server of lane.rack.servers)
      await until(`${server} is discovered`, async () => (await stateOf(lane, `${server}-system-0`)) === 'Available')
  }, 600_000)
  afterAll(async () => {
    over.abort()
    await asking
    for (const { process, way } of replicas) {
      await process.stop()
      await way.close()
    }
    await bootServer?.stop()
    await lane?.close()
  })

  let next = 0
  for (const moment of ['before power-on', 'during the open attempt'] as const)
    for (const [what, { strike, heal }] of Object.entries(blows)) {
      next += 1
      const server = `server-${next}`
      it(`the leader is ${what} ${moment}: the other takes over, the server is installed once and switched on once`, async () => {
        const started = performance.now()
        const first = await leader()
        const from = lane.events.length
        const mine = () => lane.events.slice(from).filter(event => event.server === server)
        let struck = false
        const hit = (): void => {
          if (struck) return
          struck = true
          strike(first)
        }
        lane.onCall = (called, method, path) => {
          if (called !== server) return
          if (moment === 'before power-on' && method === 'PATCH' && path.includes('/Systems/')) hit()
          if (moment === 'during the open attempt' && method === 'POST' && path.includes('ComputerSystem.Reset')) queueMicrotask(hit)
        }
        await claimServer(lane, server, `${server}-system-0`)
        await until('the leader is struck', async () => struck)
        await leader(first)
        await until('the claim is provisioned', () => provisioned(lane, server))
        await until('what was installed runs from disk', async () => mine().some(event => event.what === 'runs' && event.from === 'Hdd'))
        heal(first)
        if (first.process.alive)
          await until('the first knows that it does not lead', async () => first.process.said().includes('does not lead any longer'))
        else {
          const { identity } = await launch()
          await until('a new replica runs', async () => identity())
        }
        expect(
          mine()
            .filter(event => event.what === 'power')
            .map(event => event.to),
        ).toEqual(['On'])
        expect(
          mine()
            .filter(event => event.what === 'boots')
            .map(event => event.from),
        ).toEqual(['UefiHttp', 'Hdd'])
        expect(mine().filter(event => event.what === 'installed')).toHaveLength(1)
        expect(unanswered).toEqual([])
        console.log(`${what} ${moment}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
      }, 600_000)
    }
})
