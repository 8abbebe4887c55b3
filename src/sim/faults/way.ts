import { type Millis, seconds } from '../../core/duration.ts'
import type { Clock } from '../../ports/index.ts'

/** The whole way of a process to its API server, which can be cut for longer than a lease lasts. */
export interface Way {
  readonly isCut: boolean
  cut(): void
  /** Throws what a socket says while the way is cut. */
  pass(): void
  /** Called when it is cut: what is open breaks. */
  onCut(then: () => void): void
}

const lasts: Millis = seconds(60)

export function openWay(world: Clock): Way {
  let until: Millis = 0
  let open: (() => void)[] = []
  const isCut = (): boolean => until > world.elapsed()
  return {
    get isCut() {
      return isCut()
    },
    cut() {
      until = world.elapsed() + lasts
      const broken = open
      open = []
      for (const then of broken) then()
    },
    pass() {
      if (isCut()) throw new Error('connect ENETUNREACH (simulated)')
    },
    onCut: then => void open.push(then),
  }
}
