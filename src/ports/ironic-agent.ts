/** An Ironic agent that runs on a machine: where it listens, the certificate that it made for itself, and what both sides know. */
export interface AgentAt {
  readonly url: string
  /** PEM. */
  readonly ca: string
  readonly token: string
}

/** One command as the agent tells of it. It does not tell what a command that runs or failed was given. */
export interface AgentCommand {
  readonly id: string
  readonly name: string
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED'
  readonly error?: string
  readonly result?: unknown
}

/** What we call an agent for; everything else it tells by itself. */
export interface AgentCalls {
  /** All commands that it was given since it started, the oldest first. */
  commands(agent: AgentAt, signal: AbortSignal): Promise<readonly AgentCommand[]>
  /** A question that is answered at once; throws a Fault where the agent is busy. */
  ask(agent: AgentAt, command: string, params: object, signal: AbortSignal): Promise<unknown>
  /** Begins a command; what became of it, `commands` tells. */
  begin(agent: AgentAt, command: string, params: object, signal: AbortSignal): Promise<void>
}
