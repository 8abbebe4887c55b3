import { Fault } from '../core/fault.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { BootArtifacts, FetchState } from '../ports/boot-artifacts.ts'
import type { Artifact } from '../ports/images.ts'
import { fileName } from './file-name.ts'

export interface FetcherPorts {
  readonly blobs: Blobs
  /** The bytes of a blob of an image, from wherever images come. */
  open(reference: string, digest: string): AsyncIterable<Uint8Array>
  /** Where the boot server is reached by machines, without a slash at the end. */
  readonly baseUrl: string
}

/** The shelf with what only its keeper does. */
export interface Fetcher extends BootArtifacts {
  /** Throws away what nobody boots any more: neither wanted now, nor asked for since the time before last. Answers how many bytes that freed. */
  prune(wanted: (digest: string) => boolean): Promise<number>
}

interface Fetch {
  /** In which round of pruning it was last asked for. */
  round: number
  bytes: number
  state: 'running' | 'done' | FetchState
}

/** Brings artefacts to the shelf in the background: each digest once, however many ask for it. */
export function openFetcher({ blobs, open, baseUrl }: FetcherPorts): Fetcher {
  const fetches = new Map<string, Fetch>()
  let round = 0

  function start(reference: string, { digest, bytes }: Artifact): Fetch {
    const fetch: Fetch = { bytes: 0, state: 'running', round }
    fetches.set(digest, fetch)
    void bring(fetch, reference, digest, bytes)
    return fetch
  }

  async function bring(fetch: Fetch, reference: string, digest: string, size: number): Promise<void> {
    try {
      if ((await blobs.size(digest)) === undefined) await blobs.put(digest, size, counted(fetch, open(reference, digest)))
      fetch.bytes = size
      fetch.state = 'done'
    } catch (error) {
      const fault =
        error instanceof Fault
          ? error
          : new Fault(
              'image/fetch-failed',
              `Cannot fetch ${digest} of ${reference}: ${error instanceof Error ? error.message : String(error)}`,
            )
      fetch.state = { is: 'failed', code: fault.code, because: fault.message, mayRecover: fault.retry === 'backoff' }
    }
  }

  return {
    ensure({ reference }, artifacts) {
      const all = artifacts.map(artifact => fetches.get(artifact.digest) ?? start(reference, artifact))
      for (const fetch of all) fetch.round = round
      const failed = all.find((fetch): fetch is Fetch & { state: FetchState } => typeof fetch.state === 'object')
      if (failed) {
        // Told once; whoever asks again wants it tried again.
        for (const { digest } of artifacts) if (typeof fetches.get(digest)?.state === 'object') fetches.delete(digest)
        return failed.state
      }
      if (all.every(fetch => fetch.state === 'done')) return { is: 'ready' }
      return {
        is: 'fetching',
        bytes: all.reduce((sum, fetch) => sum + fetch.bytes, 0),
        of: artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0),
      }
    },
    has: artifacts => artifacts.every(({ digest }) => fetches.get(digest)?.state === 'done'),
    async prune(wanted) {
      round += 1
      const recent = (digest: string): boolean => {
        const fetch = fetches.get(digest)
        return fetch !== undefined && (fetch.state === 'running' || fetch.round >= round - 1)
      }
      const kept = (digest: string): boolean => wanted(digest) || recent(digest)
      // Forgotten before it is gone: whoever asks meanwhile has it fetched again.
      for (const digest of [...fetches.keys()]) if (!kept(digest)) fetches.delete(digest)
      return blobs.prune(kept)
    },
    address: ({ digest, role }, image) => `${baseUrl}/artifacts/${digest.replace(':', '-')}/${fileName(role, image)}`,
  }
}

async function* counted(fetch: Fetch, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    fetch.bytes += chunk.length
    yield chunk
  }
}
