import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../core/fault.ts'
import type { Home } from './home.ts'

/** The key that Secrets are sealed with in the store; made once, and kept apart from it. Readable by its owner alone. */
export function secretsKey({ pki }: Pick<Home, 'pki'>): Uint8Array {
  const path = join(pki, 'secrets.key')
  mkdirSync(pki, { recursive: true, mode: 0o700 })
  const found = read(path)
  if (found) return found
  // Whole before it has its name, and never in the place of one that is there: what was sealed would be lost.
  const incoming = `${path}.${process.pid}`
  const file = openSync(incoming, 'wx', 0o600)
  try {
    writeSync(file, randomBytes(32))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(incoming, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(incoming)
  }
  return read(path)!
}

function read(path: string): Uint8Array | undefined {
  try {
    const bytes = readFileSync(path)
    if (bytes.length === 32) return bytes
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  throw new Fault('store/bad-key', `Cannot use ${path}: it is not 32 bytes long`, 'never', { hint: 'bring back the file from a copy' })
}
