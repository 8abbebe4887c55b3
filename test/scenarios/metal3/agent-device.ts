import type { AgentAt, AgentCalls } from '../../../src/ports/ironic-agent.ts'
import type { ProcessPorts } from '../../../src/sim/process.ts'

/** The agents of the rack as one process holds them: each call is open to faults. What is said stays out of the log: it holds tokens and user data. */
export function faultyAgents(ports: ProcessPorts, calls: AgentCalls): AgentCalls {
  let at: AgentAt = { url: '', ca: '', token: '' }
  let told: object = {}
  const device = ports.device(
    'agent',
    {
      commands: (signal: AbortSignal) => calls.commands(at, signal),
      ask: (name: string, signal: AbortSignal) => calls.ask(at, name, told, signal),
      begin: (name: string, signal: AbortSignal) => calls.begin(at, name, told, signal),
    },
    ['commands', 'ask'],
  )
  return {
    commands(agent, signal) {
      at = agent
      return device.commands(signal)
    },
    ask(agent, name, params, signal) {
      at = agent
      told = params
      return device.ask(name, signal)
    },
    begin(agent, name, params, signal) {
      at = agent
      told = params
      return device.begin(name, signal)
    },
  }
}
