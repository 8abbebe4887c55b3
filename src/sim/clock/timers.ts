import type { Millis } from '../../core/duration.ts'

interface Timer {
  readonly due: Millis
  /** Timers that are due together fire in the order in which they were set. */
  readonly order: number
  readonly fire: () => void
}

/** What is to happen and when: a binary heap, so that ten thousand waiting keys cost no more than their logarithm. */
export interface Timers {
  readonly size: number
  add(due: Millis, then: () => void): () => void
  /** Takes out the first one, if it is due by `until`. */
  take(until: Millis): Timer | undefined
}

export function openTimers(): Timers {
  const heap: Timer[] = []
  const cancelled = new Set<Timer>()
  let order = 0

  const before = (a: Timer, b: Timer): boolean => a.due < b.due || (a.due === b.due && a.order < b.order)

  function rise(at: number): void {
    for (let child = at; child > 0; ) {
      const parent = (child - 1) >> 1
      if (!before(heap[child]!, heap[parent]!)) return
      swap(child, parent)
      child = parent
    }
  }

  function sink(): void {
    for (let parent = 0; ; ) {
      const left = parent * 2 + 1
      const right = left + 1
      let first = parent
      if (left < heap.length && before(heap[left]!, heap[first]!)) first = left
      if (right < heap.length && before(heap[right]!, heap[first]!)) first = right
      if (first === parent) return
      swap(parent, first)
      parent = first
    }
  }

  function swap(a: number, b: number): void {
    const kept = heap[a]!
    heap[a] = heap[b]!
    heap[b] = kept
  }

  function pop(): void {
    const last = heap.pop()!
    if (heap.length === 0) return
    heap[0] = last
    sink()
  }

  /** Most timers are deadlines that never come: they must not pile up until they would have. */
  function tidy(): void {
    if (cancelled.size < 1_024 || cancelled.size * 2 < heap.length) return
    const live = heap.filter(timer => !cancelled.has(timer)).sort((a, b) => (before(a, b) ? -1 : 1))
    heap.splice(0, heap.length, ...live)
    cancelled.clear()
  }

  return {
    get size() {
      return heap.length - cancelled.size
    },
    add(due, then) {
      let over = false
      const timer: Timer = {
        due,
        order: order++,
        fire: () => {
          over = true
          then()
        },
      }
      heap.push(timer)
      rise(heap.length - 1)
      return () => {
        if (over) return
        over = true
        cancelled.add(timer)
        tidy()
      }
    },
    take(until) {
      while (heap.length > 0) {
        const first = heap[0]!
        if (cancelled.delete(first)) pop()
        else if (first.due > until) return undefined
        else {
          pop()
          return first
        }
      }
      return undefined
    },
  }
}
