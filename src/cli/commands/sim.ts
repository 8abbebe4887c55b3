import { readFileSync } from 'node:fs'
import pc from 'picocolors'
import { Fault } from '../../core/fault.ts'
import { httpTransport } from '../../net/client.ts'
import { randomIds } from '../../net/random-ids.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { type HttpWorldOptions, httpWorld } from '../../sim/machine/world-http.ts'
import { catalogue } from '../../sim/misbehaviour/catalogue.ts'
import { personalities } from '../../sim/personalities/index.ts'
import { openRack, type Rack } from '../../sim/rack.ts'
import { type Listening, listen } from '../../sim/redfish/listen.ts'
import { homeAt, prepareHome } from '../home.ts'
import { fileLog } from '../log-file.ts'
import { portOf } from '../port.ts'
import { authorityFile, noteSim, runningSim } from '../sim-state.ts'
import { stopSignal } from '../stop-signal.ts'

type Options = Readonly<Record<string, unknown>>

/** A rack without hardware, or switches for the one that runs. */
export async function sim(options: Options, verb?: string, server?: string, fault?: string): Promise<number> {
  switch (verb) {
    case undefined:
      return serveRack(options)
    case 'faults':
      for (const [name, { shows, says }] of Object.entries(catalogue)) console.log(`${name.padEnd(24)} ${shows.padEnd(10)} ${says}`)
      return 0
    case 'fault':
    case 'heal':
      return tell(options, verb, server, fault)
    default:
      throw new Fault('cli/sim', `Cannot do "${verb}" with the simulated rack: it knows faults, fault and heal`, 'never', {
        hint: 'rackwright sim --help lists the options',
      })
  }
}

async function serveRack(options: Options): Promise<number> {
  const home = homeAt(options)
  prepareHome(home)
  const log = fileLog(home.logs, line => console.error(line))
  const stop = stopSignal()
  const world = httpWorld(networkOf(options))
  const rack = openRack({
    clock: wallClock,
    world,
    ids: randomIds,
    servers: serversOf(options),
    username: 'admin',
    password: String(options['password']),
  })
  rack.onEvent(({ server, what, at: _, ...about }) => log.info(`${server} ${what}`, about))
  const adminToken = randomIds.nonce(24)
  const listening = await listen(rack, { clock: wallClock, log, port: portOf(options['port']), adminToken })
  const forget = noteSim(home, listening, adminToken)
  try {
    present(rack, listening, String(options['password']), authorityFile(home))
    console.log(`Stopping (${await stop}).`)
    return 0
  } finally {
    forget()
    await listening.close()
    await world.close()
    log.flush()
  }
}

/** What the machines find on the network. */
function networkOf(options: Options): HttpWorldOptions {
  const { bootCa, pxe, httpBoot } = options
  return {
    ...(typeof bootCa === 'string' ? { authority: readFileSync(bootCa, 'utf8') } : {}),
    ...(typeof pxe === 'string' ? { pxe } : {}),
    ...(typeof httpBoot === 'string' ? { http: httpBoot } : {}),
  }
}

function serversOf(options: Options): { name: string; personality: string }[] {
  const count = Number(options['servers'])
  if (!Number.isInteger(count) || count < 1 || count > 50_000)
    throw new Fault('cli/sim', `Cannot simulate "${String(options['servers'])}" servers: it has to be a number from 1 to 50000`, 'never')
  const makes = typeof options['make'] === 'string' ? options['make'].split(',') : personalities.map(({ name }) => name)
  return Array.from({ length: count }, (_, n) => ({ name: `server-${n + 1}`, personality: makes[n % makes.length]! }))
}

/** Of a large rack only the first servers are printed. */
const shown = 24

function present(rack: Rack, listening: Listening, password: string, authority: string): void {
  console.log(`${pc.bold('The simulated rack is up')}: ${rack.servers.length} servers`)
  for (const server of rack.servers.slice(0, shown))
    console.log(`  ${server.padEnd(12)} ${rack.personality(server).name.padEnd(11)} ${listening.url(server)}/redfish/v1/`)
  if (rack.servers.length > shown) console.log(`  … and ${rack.servers.length - shown} more, one address after the other`)
  const first = rack.servers[0]!
  const { system } = rack.personality(first).ids
  console.log(`  user:        ${rack.username}, password: ${password}`)
  console.log(`  certificate: ${authority}`)
  console.log(`Try: curl --cacert ${authority} -u ${rack.username}:${password} ${listening.url(first)}/redfish/v1/Systems/${system}`)
  console.log(`     rackwright sim fault ${first} no-answer --times 1     (rackwright sim faults lists them)`)
  console.log('Ctrl-C stops it.')
}

async function tell(options: Options, verb: 'fault' | 'heal', server: string | undefined, fault: string | undefined): Promise<number> {
  if (server === undefined || (verb === 'fault' && fault === undefined))
    throw new Fault('cli/sim', `Cannot ${verb} anything: say which server${verb === 'fault' ? ' and which fault' : ''}`, 'never', {
      hint: `rackwright sim ${verb} server-1 ${verb === 'fault' ? 'no-answer --times 1' : ''}`.trim(),
    })
  const { admin, token, authority } = runningSim(homeAt(options))
  const transport = httpTransport({ baseUrl: admin, tls: { authority }, headers: () => ({ authorization: `Bearer ${token}` }) })
  const times = options['times'] === undefined ? {} : { times: Number(options['times']) }
  const { path, method } = options
  const body = { server, fault, ...times, path, method }
  try {
    const url = verb === 'fault' ? '/sim/faults' : '/sim/heal'
    const headers = { 'content-type': 'application/json' }
    const answer = await transport({ method: 'POST', url, headers, body: Buffer.from(JSON.stringify(body)) })
    const said = JSON.parse(Buffer.from(answer.body as Uint8Array).toString('utf8')) as { message?: string; faults?: unknown }
    if (answer.status !== 200) throw new Fault('sim/refused', `Cannot ${verb} ${server}: ${said.message ?? answer.status}`, 'never')
    console.log(`${server}: ${JSON.stringify(said.faults)}`)
    return 0
  } finally {
    await transport.close()
  }
}
