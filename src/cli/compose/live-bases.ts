import { type Base, openBase } from '../../boot/host-images/base.ts'
import { fileSource } from '../../boot/host-images/file-source.ts'
import { fileNames, type Shelf } from '../../boot/host-images/shelf.ts'
import { minutes } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import type { Clock, Log } from '../../ports/index.ts'

export interface LiveBasesPorts {
  readonly clock: Clock
  readonly log: Log
  readonly shelf: Pick<Shelf, 'add'>
}

/**
 * Reads each live ISO once before it returns. One that cannot be used keeps nobody else from being served: what is wrong with it is told
 * where its images are wanted, and it is tried again each minute, since somebody may put it right.
 */
export async function openLiveBases(
  { clock, log, shelf }: LiveBasesPorts,
  baseUrl: string,
  liveIsos: Readonly<Record<string, string>>,
): Promise<{ close(): Promise<void> }> {
  const over = new AbortController()
  const files: (() => Promise<void>)[] = []
  const open = async (architecture: string, path: string): Promise<boolean> => {
    try {
      const { base, bytes, close } = await baseAt(path, architecture, baseUrl)
      files.push(close)
      shelf.add(architecture, base)
      log.info('Images of hosts are made of a live ISO', { architecture, path, bytes })
      return true
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      shelf.add(architecture, error)
      log.warn('A live ISO cannot be used, and is tried again each minute', { architecture, path, because: error.message })
      return false
    }
  }
  const insist = async (architecture: string, path: string): Promise<void> => {
    do await clock.sleep(minutes(1), over.signal)
    while (!(await open(architecture, path)))
  }
  const trying: Promise<void>[] = []
  for (const [architecture, path] of Object.entries(liveIsos))
    if (!(await open(architecture, path)))
      trying.push(
        insist(architecture, path).catch((error: unknown) => {
          if (!over.signal.aborted) log.error('A live ISO is not tried again', { architecture, path, because: String(error) })
        }),
      )
  return {
    async close() {
      over.abort()
      await Promise.all(trying)
      for (const close of files) await close()
    },
  }
}

async function baseAt(
  path: string,
  architecture: string,
  baseUrl: string,
): Promise<{ readonly base: Base; readonly bytes: number; close(): Promise<void> }> {
  const file = await fileSource(path).catch((cause: unknown) => {
    throw new Fault('boot/no-live-iso', `Cannot make images for ${architecture}: ${path} cannot be read`, 'when-changed', {
      cause,
      hint: 'look at --live-iso',
    })
  })
  try {
    const base = await openBase(file, architecture, digest => `${baseUrl}/host-images/${digest}/${fileNames.rootfs}`)
    return { base, bytes: file.size, close: () => file.close() }
  } catch (cause) {
    await file.close()
    if (cause instanceof Fault) throw cause
    throw new Fault('boot/no-live-iso', `Cannot make images for ${architecture}: ${path} cannot be read to its end`, 'when-changed', {
      cause,
    })
  }
}
