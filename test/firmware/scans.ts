import { type ServerBIOS, serverBioses } from '../../src/controllers/firmware/resources.ts'
import { type Server, servers } from '../../src/controllers/metal/resources.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { firmwareWorld, plainMachine } from './world.ts'

const metal = 'metal.ironcore.dev/v1alpha1'

export interface Scans {
  /** Scans that began in each minute since the objects were made, all at once. */
  readonly perMinute: readonly number[]
  /** Writes of controllers, jobs and their host in the last period, by what they write. */
  readonly writes: Readonly<Record<string, number>>
  /** Scans of the last period. */
  readonly last: number
  /** The longest that any server was not asked, from its first scan on; by the minute. */
  readonly longest: number
}

/** Objects that are made in one moment, through the controllers, the API and the Job host, in virtual time. */
export async function scansOf(count: number, period: number, periods: number): Promise<Scans> {
  const world = await firmwareWorld()
  const { kube, clock, machines } = world
  for (let n = 0; n < count; n++) {
    const name = `s${n}`
    // Jobs take a while, each another.
    machines.set(name, { ...plainMachine(), lasts: seconds(1 + (n % 5)) })
    await kube.create(servers, {
      apiVersion: metal,
      kind: 'Server',
      metadata: { name },
      spec: { systemUUID: name, bmcRef: { name }, biosRef: { name } },
    } as unknown as Server)
    await kube.patch(servers, { name }, { merge: { status: { state: 'Available', powerState: 'Off' } } }, { subresource: 'status' })
  }
  for (let n = 0; n < count; n++)
    await kube.create(serverBioses, {
      apiVersion: metal,
      kind: 'ServerBIOS',
      metadata: { name: `s${n}` },
      spec: { serverRef: { name: `s${n}` }, scanPeriodMinutes: period, bios: { version: '1.0.0' } },
    } as unknown as ServerBIOS)
  const ran = new Map<string, { runs: number; at: number }>()
  const perMinute: number[] = []
  let longest = 0
  let from = 0
  for (let minute = 0; minute < period * periods; minute++) {
    if (minute === period * (periods - 1)) from = world.writes().length
    await world.passes(minutes(1))
    let begun = 0
    for (const [name, { ran: runs }] of machines) {
      const before = ran.get(name)
      if (runs.length === (before?.runs ?? 0)) continue
      begun += runs.length - (before?.runs ?? 0)
      if (before) longest = Math.max(longest, minute - before.at)
      ran.set(name, { runs: runs.length, at: minute })
    }
    perMinute.push(begun)
  }
  const writes: Record<string, number> = {}
  for (const { method, path, body } of world.writes().slice(from)) {
    const what = path
      .split('?')[0]!
      .replace(/^.*\/(jobs|serverbioses|servers|events)/, '$1')
      .replace(/\/[^/]*/, '')
    const fields = Object.keys((body as { status?: object } | undefined)?.status ?? {})
    const line = [method, what, ...fields.toSorted()].join(' ')
    writes[line] = (writes[line] ?? 0) + 1
  }
  await clock.settle()
  const last = perMinute.slice(-period).reduce((sum, begun) => sum + begun, 0)
  await world.stop()
  return { perMinute, writes, last, longest }
}
