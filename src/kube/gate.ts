/** Lets at most `places` pieces of work run at once; the others wait their turn, in order. */
export function gate(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = places
  return async work => {
    // A place is handed from one to the next, so that nobody who comes later slips in between.
    if (free > 0) free--
    else await new Promise<void>(turn => waiting.push(turn))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
