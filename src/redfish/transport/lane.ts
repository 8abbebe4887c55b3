/** Lets at most `places` pieces of work run at once; the others wait their turn, in order. Who gives up while waiting leaves the queue. */
export interface Lane {
  places: number
  through<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

export function lane(places: number): Lane {
  const waiting: (() => void)[] = []
  let busy = 0
  const self: Lane = {
    places,
    async through(work, signal) {
      signal?.throwIfAborted()
      // A place is handed from one to the next, so that nobody who comes later slips in between.
      if (busy < self.places) busy++
      else await turn(waiting, signal)
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else busy--
      }
    },
  }
  return self
}

function turn(waiting: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = (): void => {
      signal?.removeEventListener('abort', leave)
      resolve()
    }
    const leave = (): void => {
      const at = waiting.indexOf(go)
      if (at >= 0) waiting.splice(at, 1)
      reject(signal?.reason)
    }
    waiting.push(go)
    signal?.addEventListener('abort', leave, { once: true })
  })
}
