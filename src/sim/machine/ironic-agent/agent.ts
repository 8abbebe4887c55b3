import type { Millis } from '../../../core/duration.ts'
import { isObject } from '../../../core/json.ts'
import { ask } from '../ask.ts'
import type { Machine } from '../machine.ts'
import type { AssistedSettings } from '../world.ts'
import { addressOf } from './address.ts'
import { found } from './found.ts'
import { manners } from './manners.ts'

/** What the ramdisk's kernel was told. */
export interface AgentSettings {
  readonly api: string
  /** Where what was found is posted before anything else; nowhere where this is missing. */
  readonly callback?: string
  readonly token?: string
  /** The assisted agent that is on the same system, and does not run by itself. */
  readonly assisted?: AssistedSettings
}

export interface SimCommand {
  readonly id: string
  readonly command_name: string
  command_status: 'RUNNING' | 'SUCCEEDED' | 'FAILED'
  command_error: object | null
  command_result: unknown
}

/** An Ironic agent that runs on a simulated machine, as long as nobody restarts the machine. */
export interface SimAgent {
  readonly epoch: number
  readonly url: string
  token: string
  readonly commands: SimCommand[]
  readonly assisted: AssistedSettings | undefined
  /** It hangs: neither calls nor answers any more. */
  hung: boolean
  /** Heard at once when something ended. */
  beat(): Promise<void>
}

/** Self-signed, as the real one makes it; in the simulation nobody reads it. */
const certificate = '-----BEGIN CERTIFICATE-----\nsimulated\n-----END CERTIFICATE-----\n'
const userAgent = 'python-requests/2.34'
const lookupPause: Millis = 10_000
/** The middle of 0.3 and 0.6: the real one throws dice. */
const share = 0.45

/** Tells what it found, asks who it is, then beats until the machine is restarted. */
export async function runIronicAgent(machine: Machine, { api, callback, token = '', assisted }: AgentSettings): Promise<void> {
  const { epoch } = machine
  const { clock } = machine.site
  const runs = (): boolean => machine.epoch === epoch
  if (manners(machine, 'never calls')) return
  if (callback !== undefined) await post(machine, callback, { inventory: found(machine), error: null })
  let who: { uuid: string; token: string; timeout: Millis } | undefined
  while (runs() && !who) {
    who = await lookup(machine, api)
    if (!who) await clock.sleep(lookupPause)
  }
  if (!runs() || !who) return
  const { uuid, timeout } = who
  const agent: SimAgent = {
    epoch,
    url: `https://${addressOf(machine)}:9999`,
    token: token === '' ? who.token : token,
    commands: [],
    assisted,
    hung: false,
    async beat() {
      if (!runs() || agent.hung) return
      const body = { callback_url: agent.url, agent_token: agent.token, agent_version: '13.0.0', agent_verify_ca: certificate }
      await post(machine, `${api}/v1/heartbeat/${uuid}`, body)
    },
  }
  machine.agent = agent
  while (runs() && !agent.hung) {
    await agent.beat()
    await clock.sleep(timeout * share)
  }
}

async function lookup(machine: Machine, api: string): Promise<{ uuid: string; token: string; timeout: Millis } | undefined> {
  const macs = found(machine).interfaces.map(({ mac_address }) => mac_address)
  const answer = await ask(machine, { method: 'GET', url: `${api}/v1/lookup?addresses=${macs.join(',')}` }, userAgent)
  if (answer?.status !== 200) return undefined
  const said: unknown = JSON.parse(Buffer.from(answer.body).toString('utf8'))
  if (!isObject(said) || !isObject(said['node']) || !isObject(said['config'])) return undefined
  const { agent_token: token, heartbeat_timeout: seconds } = said['config']
  return { uuid: String(said['node']['uuid']), token: String(token), timeout: Number(seconds) * 1_000 }
}

const post = (machine: Machine, url: string, body: object) =>
  ask(machine, { method: 'POST', url, body: Buffer.from(JSON.stringify(body)) }, userAgent)
