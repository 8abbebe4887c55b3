import { type Millis, minutes, seconds } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { whyNotTouch } from '../../policy/firmware/authority.ts'
import type { Bmc } from '../../ports/index.ts'
import type { JobEnvironment } from './environment.ts'
import { failed, refused, stopped } from './exit.ts'
import type { ProgramPorts } from './program.ts'
import { type Server, servers } from './resources.ts'
import type { Target } from './target.ts'

/** `lost`: nobody knows whether it arrived. `later`: the BMC did not do it, and may in a while. */
export type Changed<T> = { readonly is: T } | { readonly lost: string } | { readonly later: string }

/** After these a call may have been taken all the same. */
const unclear = ['bmc/no-answer', 'bmc/unreachable', 'bmc/error', 'bmc/bad-answer', 'bmc/too-large']

/** The machine of a job: looked at patiently, changed only with leave. */
export interface MachineOf {
  readonly server: Server
  /** Since when the BMC has had no task under way, as far as this run has looked. */
  readonly quiet: { since: Millis | undefined }
  /** Reads, again while the BMC is away for a while: it may restart in the middle of an update. */
  look<T>(read: (bmc: Bmc, signal: AbortSignal) => Promise<T>, patience?: Millis): Promise<T>
  /**
   * One call that changes something, right after a fresh read of what allows it. Never repeated here: whoever made it looks at the machine.
   */
  change<T>(what: string, call: (bmc: Bmc, signal: AbortSignal) => Promise<T>): Promise<Changed<T>>
  sleep(ms: Millis): Promise<void>
  /** By the clock that never jumps. */
  elapsed(): Millis
  say(line: string): void
}

const between = seconds(10)
/** A BMC that restarts is away for minutes; one that is away for so long needs a person. */
const away = minutes(20)

export async function openMachine(
  { kube, pool: open, clock, signal, say }: ProgramPorts,
  env: JobEnvironment,
  target: Target<{ readonly spec: { readonly serverRef: { readonly name: string } } }>,
  reading = false,
): Promise<MachineOf> {
  const { name } = target.object.spec.serverRef
  const server = await kube.find(servers, { name }, { signal })
  if (!server) throw stopped(`the Server ${name} is gone`)
  const bmc = server.spec.bmcRef?.name
  if (bmc === undefined) throw refused(`Server ${name} has no BMC: it cannot be asked`)
  const { systemURI, systemUUID } = server.spec
  const pool = open({ system: systemURI, reading })
  const use = async <T>(work: (bmc: Bmc, signal: AbortSignal) => Promise<T>): Promise<T> => {
    const checked = async (one: Bmc): Promise<T> => {
      const { uuid } = one.identity
      if (uuid !== undefined && uuid !== systemUUID.toLowerCase())
        throw failed(`BMC ${bmc} speaks for the system ${uuid}, and Server ${name} is ${systemUUID}: nothing is done`)
      return work(one, signal)
    }
    try {
      return await pool.use(bmc, checked, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    }
  }
  const sleep = (ms: Millis): Promise<void> => clock.sleep(ms, signal)
  return {
    server,
    quiet: { since: undefined },
    sleep,
    say,
    elapsed: () => clock.elapsed(),
    async look(read, patience = away) {
      const began = clock.elapsed()
      for (;;) {
        try {
          return await use(read)
        } catch (error) {
          if (!(error instanceof Fault)) throw error
          if (error.retry !== 'backoff' || clock.elapsed() - began >= patience) throw failed(error.message)
        }
        await sleep(between)
      }
    },
    async change(what, call) {
      await target.same()
      const now = await kube.find(servers, { name }, { signal })
      const why = whyNotTouch(now, env)
      if (why !== undefined) throw stopped(`${what} is not done: ${why}`)
      say(what)
      try {
        return { is: await use(call) }
      } catch (error) {
        if (!(error instanceof Fault) || error.retry !== 'backoff') throw error instanceof Fault ? failed(error.message) : error
        say(`${what}: ${error.message}`)
        return unclear.includes(error.code) ? { lost: error.message } : { later: error.message }
      }
    },
  }
}
