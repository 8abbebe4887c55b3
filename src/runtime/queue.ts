import type { Millis } from '../core/duration.ts'
import type { Clock } from '../ports/index.ts'

/** A change goes before a look that only time asked for. */
export type Urgency = 'change' | 'look'

/** Keys that want a reconcile. Equal keys collapse, a key is handed out once at a time, and it waits for at most one timer. */
export interface Queue {
  readonly depth: { readonly change: number; readonly look: number }
  readonly running: number
  readonly timers: number
  add(key: string, urgency: Urgency): void
  /** A look after `ms`, instead of the one that was to come. */
  later(key: string, ms: Millis): void
  /** The next key, which is now running until `done`. */
  next(): string | undefined
  /** The key may run again; if it was asked for meanwhile, it is queued. True where it was. */
  done(key: string): boolean
  /** Sets a running key aside, as if it had not been handed out: nobody gets it before `unpark`, or before `ms` have passed. */
  park(key: string, ms?: Millis): void
  unpark(key: string): void
  readonly parked: number
  /** Forgets everything but what is running. */
  clear(): void
}

interface Slot {
  state: 'resting' | 'queued' | 'running' | 'parked'
  urgency: Urgency
  /** Asked for while running. */
  asked: Urgency | undefined
  cancel: (() => void) | undefined
}

/** After this many changes in a row a look has its turn, so that a storm of changes starves nobody. */
const changesInARow = 8

export function openQueue(clock: Clock, wake: () => void): Queue {
  const slots = new Map<string, Slot>()
  const lines = { change: fifo(), look: fifo() }
  const depth = { change: 0, look: 0 }
  let running = 0
  let parked = 0
  let timers = 0
  let inARow = 0

  function slotOf(key: string): Slot {
    const known = slots.get(key)
    if (known) return known
    const made: Slot = { state: 'resting', urgency: 'look', asked: undefined, cancel: undefined }
    slots.set(key, made)
    return made
  }

  function disarm(slot: Slot): void {
    if (!slot.cancel) return
    slot.cancel()
    slot.cancel = undefined
    timers--
  }

  function line(key: string, slot: Slot, urgency: Urgency): void {
    slot.state = 'queued'
    slot.urgency = urgency
    depth[urgency]++
    lines[urgency].push(key)
  }

  function add(key: string, urgency: Urgency): void {
    const slot = slotOf(key)
    switch (slot.state) {
      case 'resting':
        line(key, slot, urgency)
        wake()
        break
      case 'queued':
        if (urgency === 'look' || slot.urgency === 'change') break
        depth.look--
        line(key, slot, 'change')
        break
      case 'running':
        if (slot.asked !== 'change') slot.asked = urgency
        break
      case 'parked':
        if (urgency === 'change') slot.urgency = 'change'
        break
      default:
        slot.state satisfies never
    }
  }

  /** The first key of a line that still stands in it: a promoted key left an empty place behind. */
  function first(urgency: Urgency): string | undefined {
    if (depth[urgency] === 0) {
      lines[urgency].empty()
      return undefined
    }
    for (let key = lines[urgency].shift(); key !== undefined; key = lines[urgency].shift()) {
      const slot = slots.get(key)
      if (slot?.state === 'queued' && slot.urgency === urgency) return key
    }
    return undefined
  }

  function next(): string | undefined {
    const look = depth.look > 0 && (depth.change === 0 || inARow >= changesInARow)
    const key = first(look ? 'look' : 'change')
    if (key === undefined) return undefined
    const slot = slots.get(key)!
    inARow = look ? 0 : inARow + 1
    depth[slot.urgency]--
    disarm(slot)
    slot.state = 'running'
    slot.asked = undefined
    running++
    return key
  }

  function unpark(key: string): void {
    const slot = slots.get(key)
    if (slot?.state !== 'parked') return
    parked--
    disarm(slot)
    line(key, slot, slot.urgency)
    wake()
  }

  function arm(slot: Slot, ms: Millis, then: () => void): void {
    disarm(slot)
    timers++
    slot.cancel = clock.after(ms, () => {
      slot.cancel = undefined
      timers--
      then()
    })
  }

  return {
    depth,
    get running() {
      return running
    },
    get timers() {
      return timers
    },
    get parked() {
      return parked
    },
    add,
    later: (key, ms) => arm(slotOf(key), ms, () => add(key, 'look')),
    next,
    done(key) {
      const slot = slots.get(key)
      if (slot?.state !== 'running') return false
      running--
      slot.state = 'resting'
      const { asked } = slot
      if (asked) {
        disarm(slot)
        line(key, slot, asked)
        wake()
        return true
      }
      if (!slot.cancel) slots.delete(key)
      return false
    },
    park(key, ms) {
      const slot = slots.get(key)
      if (slot?.state !== 'running') return
      running--
      parked++
      if (slot.asked === 'change') slot.urgency = 'change'
      slot.state = 'parked'
      if (ms !== undefined) arm(slot, ms, () => unpark(key))
    },
    unpark,
    clear() {
      for (const [key, slot] of slots) {
        disarm(slot)
        slot.asked = undefined
        if (slot.state !== 'running') slots.delete(key)
      }
      depth.change = 0
      depth.look = 0
      parked = 0
      lines.change.empty()
      lines.look.empty()
    },
  }
}

interface Fifo {
  push(key: string): void
  shift(): string | undefined
  empty(): void
}

/** First in, first out in constant time: an array's own shift moves everything behind it. */
function fifo(): Fifo {
  let keys: string[] = []
  let head = 0
  const empty = (): void => {
    keys = []
    head = 0
  }
  return {
    push: key => keys.push(key),
    shift() {
      if (head === keys.length) return undefined
      const key = keys[head++]
      if (head > 1_024 && head * 2 > keys.length) {
        keys = keys.slice(head)
        head = 0
      }
      return key
    },
    empty,
  }
}
