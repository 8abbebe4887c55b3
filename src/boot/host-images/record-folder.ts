import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../core/json.ts'
import { seal, unseal } from '../../net/seal.ts'
import type { ImageRecord, ImageRecords } from '../../ports/host-images.ts'
import type { Log } from '../../ports/index.ts'

/** A file for each image, sealed with the key (32 bytes): Ignitions hold pull secrets and passwords, and a copy of the folder tells none. */
export function recordFolder(folder: string, key: Uint8Array, log: Log): ImageRecords {
  const pathOf = (uid: string): string | undefined => (/^[\w-]{1,64}$/.test(uid) ? join(folder, `${uid}.sealed`) : undefined)
  return {
    async load(uid) {
      const path = pathOf(uid)
      if (path === undefined) return undefined
      try {
        const found: unknown = JSON.parse(unseal(key, await readFile(path), uid).toString('utf8'))
        return isRecord(found) && found.order.uid === uid ? found : undefined
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        // The words of a parser would repeat some of it.
        if (code !== 'ENOENT')
          log.warn('What an image of a host was made of cannot be read: it is made anew', {
            path,
            because: code ?? 'it was sealed with another key, or changed since',
          })
        return undefined
      }
    },
    async save(record) {
      const path = pathOf(record.order.uid)
      if (path === undefined) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Under its name it is whole.
      const file = await open(`${path}.incoming`, 'w', 0o600)
      try {
        await file.writeFile(seal(key, Buffer.from(JSON.stringify(record)), record.order.uid))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(`${path}.incoming`, path)
    },
    async drop(uid) {
      const path = pathOf(uid)
      if (path !== undefined) await rm(path, { force: true })
    },
  }
}

const isRecord = (found: unknown): found is ImageRecord =>
  isObject(found) &&
  isObject(found['order']) &&
  isObject(found['order']['ignition']) &&
  typeof found['wish'] === 'string' &&
  typeof found['settings'] === 'string' &&
  Array.isArray(found['conflicts'])
