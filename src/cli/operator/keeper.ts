import { seconds } from '../../core/duration.ts'
import type { Clock, Log } from '../../ports/index.ts'
import type { Health } from '../../runtime/index.ts'
import type { Stance } from './courtesy.ts'
import type { Role } from './roles.ts'

/** The controllers of a role, running. */
export interface Work {
  close(): Promise<void>
  health(): Health
  metrics(): Promise<string>
}

export interface KeeperPorts {
  readonly clock: Clock
  readonly log: Log
  /** Looks who else is there and says what we may do. */
  stance(role: Role): Promise<Stance>
  /** Starts the role's controllers. */
  open(role: Role): Work
  /** Tells people, once per change. */
  tell(role: Role, stance: Stance): Promise<void>
}

/** Runs the controllers of each role while nobody else does, and looks again every half minute. */
export interface Keeper {
  /** The first look at each role; a fault here is the caller's to show. */
  start(): Promise<void>
  /** Ends everything in good order: what runs finishes, leases are released. */
  stop(): Promise<void>
  states(): readonly { readonly role: Role; readonly stance: Stance | undefined; readonly work: Work | undefined }[]
}

interface State {
  readonly role: Role
  stance: Stance | undefined
  work: Work | undefined
}

export function openKeeper({ clock, log, stance, open, tell }: KeeperPorts, roles: readonly Role[]): Keeper {
  const states: State[] = roles.map(role => ({ role, stance: undefined, work: undefined }))
  const over = new AbortController()
  let looking: Promise<void> = Promise.resolve()

  async function turn(state: State, to: Stance): Promise<void> {
    const changed = state.stance?.is !== to.is || state.stance.because !== to.because
    state.stance = to
    if (to.is === 'act') state.work ??= open(state.role)
    else {
      await state.work?.close()
      state.work = undefined
    }
    if (!changed) return
    log.info(to.is === 'act' ? 'Looks after objects' : 'Only observes', { role: state.role.name, because: to.because })
    await tell(state.role, to).catch((error: unknown) => log.warn('Cannot tell what changed', { error: String(error) }))
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      await clock.sleep(seconds(30), over.signal).catch(() => {})
      for (const state of states) {
        if (over.signal.aborted) return
        try {
          await turn(state, await stance(state.role))
        } catch (error) {
          // What cannot be looked at is left as it is: an API that is away changes nothing.
          log.warn('Cannot look who else is there', {
            role: state.role.name,
            error: error instanceof Error ? error.message : String(error),
          })
        }
      }
    }
  }

  return {
    async start() {
      for (const state of states) await turn(state, await stance(state.role))
      looking = run()
    },
    async stop() {
      over.abort(new Error('the operator stops'))
      await looking
      await Promise.all(states.map(async ({ work }) => work?.close()))
    },
    states: () => states,
  }
}
