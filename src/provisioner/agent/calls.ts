import { seconds } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'
import type { Clock, HttpResponse, Transport } from '../../ports/index.ts'
import type { AgentAt, AgentCalls, AgentCommand } from '../../ports/ironic-agent.ts'

export interface AgentCallsOptions {
  readonly clock: Clock
  /** A way to the agent that believes only the certificate that it told of. */
  transport(agent: AgentAt): Transport & { close?(): Promise<void> }
}

/** An agent answers at once: what takes longer runs behind its back. */
const patience = seconds(30)
/** What agents say of a failure may be a page long, and is told to people. */
const longest = 600
/** No answer of an agent is near this; whoever runs on the machine may send what he likes. */
const most = 16 << 20

/** The agent's own API, as Ironic calls it. */
export const agentCalls = ({ clock, transport }: AgentCallsOptions): AgentCalls => {
  const exchange = async (
    agent: AgentAt,
    method: string,
    query: string,
    body: object | undefined,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const way = transport(agent)
    const late = new AbortController()
    const cancel = clock.after(patience, () =>
      late.abort(new Fault('agent/silent', `Cannot speak to the agent at ${agent.url}: no answer came in time`)),
    )
    try {
      const answer = await way({
        method,
        url: `/v1/commands/?agent_token=${encodeURIComponent(agent.token)}${query}`,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
        signal: AbortSignal.any([signal, late.signal]),
      })
      return await read(agent, answer)
    } finally {
      cancel()
      await way.close?.()
    }
  }
  return {
    async commands(agent, signal) {
      const said = await exchange(agent, 'GET', '', undefined, signal)
      return isObject(said) && Array.isArray(said['commands']) ? said['commands'].filter(isObject).map(commandOf) : []
    },
    async ask(agent, name, params, signal) {
      const said = await exchange(agent, 'POST', '&wait=true', { name, params }, signal)
      const command = commandOf(isObject(said) ? said : {})
      if (command.status === 'SUCCEEDED') return command.result
      throw new Fault('agent/failed', `Cannot ask the agent at ${agent.url} for ${name}: ${command.error ?? 'it does not answer'}`)
    },
    async begin(agent, name, params, signal) {
      await exchange(agent, 'POST', '', { name, params }, signal)
    },
  }
}

async function read({ url }: AgentAt, { status, body }: HttpResponse): Promise<unknown> {
  const tried = `Cannot command the agent at ${url}`
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body instanceof Uint8Array ? [body] : body) {
    size += part.length
    if (size > most) throw new Fault('agent/unreadable', `${tried}: its answer is longer than ${most >> 20} MiB`)
    parts.push(part)
  }
  const text = Buffer.concat(parts).toString('utf8')
  if (status === 401) throw new Fault('agent/other-token', `${tried}: it does not know the token of this try`, 'when-changed')
  if (status === 409) throw new Fault('agent/busy', `${tried}: it is still busy with something else`)
  if (status < 200 || status > 299) throw new Fault('agent/refused', `${tried}: it answers ${status} ${worded(text)}`)
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new Fault('agent/unreadable', `${tried}: its answer is no JSON`, 'backoff', { cause })
  }
}

function commandOf(raw: Readonly<Record<string, unknown>>): AgentCommand {
  const { id, command_name: name, command_status: status, command_error: error, command_result: result } = raw
  return {
    id: String(id ?? ''),
    name: String(name ?? ''),
    // A changed hardware manager in the middle is a failure like any other.
    status: status === 'RUNNING' || status === 'SUCCEEDED' ? status : 'FAILED',
    ...(error === null || error === undefined ? {} : { error: errorOf(error) }),
    ...(result === null || result === undefined ? {} : { result }),
  }
}

function errorOf(error: unknown): string {
  if (!isObject(error)) return worded(String(error))
  const { type, message, details } = error
  return worded([type, details ?? message].filter(word => typeof word === 'string' && word !== '').join(': '))
}

/** One line, not too long, and without credentials that an address may carry. */
const worded = (text: string): string =>
  text
    .replace(/\/\/[^/@\s]*@/g, '//…@')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
