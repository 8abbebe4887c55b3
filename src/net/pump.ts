import type { ServerResponse } from 'node:http'

/**
 * Writes a body as it comes. What arrives within one turn of the event loop leaves in one piece; a client that does not read holds
 * the source back, once more than `ahead` bytes wait for it; one that goes, or `signal`, ends it. Resolves when the answer is over,
 * and rejects if the source fails.
 */
export async function pump(body: AsyncIterable<Uint8Array>, response: ServerResponse, signal: AbortSignal, ahead = 0): Promise<void> {
  const source = body[Symbol.asyncIterator]()
  let wake = (): void => {}
  signal.addEventListener('abort', () => wake(), { once: true })
  // Not Promise.race against one promise of the end: it would remember every chunk of a watch that lasts for days.
  const unlessEnded = <T>(promise: Promise<T>): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      wake = () => resolve(undefined)
      promise.then(resolve, reject)
    })
  let corked: NodeJS.Immediate | undefined
  const uncork = (): void => {
    clearImmediate(corked)
    corked = undefined
    // Node lets go of the socket before it writes the chunk's length: held a little longer, all of it is one TLS record, not two.
    const { socket } = response
    socket?.cork()
    response.uncork()
    socket?.uncork()
  }
  try {
    while (!signal.aborted) {
      const next = await unlessEnded(source.next())
      if (next === undefined || next.done) break
      if (!corked) {
        response.cork()
        corked = setImmediate(uncork)
      }
      if (!response.write(next.value) && response.writableLength > ahead && !signal.aborted)
        await unlessEnded(new Promise(resolve => response.once('drain', resolve)))
    }
    // end() on a corked response drops what was written in the same turn (Node 24).
    if (corked) uncork()
    if (!response.writableEnded) response.end()
  } catch (error) {
    // The status line is long gone: a broken connection is the only way to say that this is not the end of the list.
    response.destroy()
    throw error
  } finally {
    // Not awaited: a source that is stuck in its own await would hold the connection's end for ever.
    void source.return?.()?.then(undefined, () => undefined)
  }
}
