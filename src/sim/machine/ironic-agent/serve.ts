import { isObject } from '../../../core/json.ts'
import type { HttpRequest, HttpResponse } from '../../../ports/index.ts'
import type { Machine } from '../machine.ts'
import type { SimAgent, SimCommand } from './agent.ts'
import { extensions } from './extensions.ts'

const json = (status: number, body: unknown): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
})
const fault = (status: number, faultstring: string): HttpResponse =>
  json(status, { faultcode: status >= 500 ? 'Server' : 'Client', faultstring })

/** The agent's own API, with the answers of the real one; throws where no agent runs. */
export async function serveAgent(machine: Machine, request: HttpRequest): Promise<HttpResponse> {
  const { agent } = machine
  if (!agent || agent.epoch !== machine.epoch || machine.power !== 'On' || agent.hung) throw new Error('connect ECONNREFUSED (simulated)')
  const [path = '', query = ''] = request.url.split('?')
  if (path !== '/v1/commands/') return fault(404, 'Not Found')
  if (new URLSearchParams(query).get('agent_token') !== agent.token) return fault(401, 'Token invalid.')
  if (request.method === 'GET') return json(200, { commands: agent.commands })
  const body: unknown = JSON.parse(Buffer.from(request.body ?? []).toString('utf8'))
  const { name, params } = isObject(body) ? body : {}
  if (typeof name !== 'string' || !isObject(params)) return fault(400, 'Missing or invalid name or params')
  return run(machine, agent, name, params)
}

function run(machine: Machine, agent: SimAgent, name: string, params: Readonly<Record<string, unknown>>): HttpResponse {
  const busy = agent.commands.at(-1)
  if (busy?.command_status === 'RUNNING') return fault(409, `Agent is busy executing command ${busy.command_name}`)
  const does = extensions[name]
  if (!does) return fault(404, `Extension not found: ${name}`)
  const command: SimCommand = {
    id: `${machine.name}-${machine.epoch}-${agent.commands.length}`,
    command_name: name.slice(name.indexOf('.') + 1),
    command_status: 'RUNNING',
    command_error: null,
    command_result: null,
  }
  agent.commands.push(command)
  const begun = does(machine, agent, params)
  if (begun.is === 'at once') end(command, begun)
  else
    void begun.end.then(ended => {
      if (machine.epoch !== agent.epoch || agent.hung) return
      end(command, ended)
      void agent.beat()
    })
  return json(200, command)
}

function end(command: SimCommand, { result, error }: { readonly result?: unknown; readonly error?: object }): void {
  command.command_status = error ? 'FAILED' : 'SUCCEEDED'
  command.command_error = error ?? null
  command.command_result = result ?? null
}
