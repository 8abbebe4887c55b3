import { randomBytes } from 'node:crypto'
import { Fault } from '../../core/fault.ts'
import { seal, unseal } from '../../net/seal.ts'
import type { Row, Store } from '../../ports/index.ts'

const magic = Buffer.from('rw-sealed-1\0')
const keySize = 32

/** What holds credentials: Secrets, and the kind that upstream has for those of BMCs. Nothing else of the API is secret. */
const secret = ['/secrets/', 'metal.ironcore.dev/bmcsecrets/']
const isSecret = ({ key }: Row): boolean => secret.some(resource => key.startsWith(resource))

/**
 * A store in which Secrets and BMCSecrets lie sealed. Each process seals with a key of its own, which stands beside what it sealed, sealed itself with the one
 * key that is kept elsewhere (`key`, 32 bytes): a copy of the store, or a backup, tells nothing without it. Rows of before are read as they are.
 */
export function sealedStore(store: Store, key: Uint8Array): Store {
  const own = randomBytes(keySize)
  const sealedOwn = seal(key, own, 'key')
  const known = new Map<string, Uint8Array>([[sealedOwn.toString('base64'), own]])
  const keyOf = (sealedKey: Buffer, row: Row): Uint8Array => {
    const name = sealedKey.toString('base64')
    const found = known.get(name) ?? open(key, sealedKey, 'key', row)
    known.set(name, found)
    return found
  }
  const close = (row: Row): Row =>
    isSecret(row) ? { ...row, value: Buffer.concat([magic, sealedOwn, seal(own, row.value, row.key)]) } : row
  const disclose = (row: Row): Row => {
    const value = Buffer.from(row.value.buffer, row.value.byteOffset, row.value.byteLength)
    if (!isSecret(row) || !value.subarray(0, magic.length).equals(magic)) return row
    const at = magic.length + sealedOwn.length
    return { ...row, value: open(keyOf(value.subarray(magic.length, at), row), value.subarray(at), row.key, row) }
  }
  return {
    state: () => store.state(),
    async *load() {
      for await (const row of store.load()) yield disclose(row)
    },
    append: batch => store.append(batch.map(close)),
    compact: to => store.compact(to),
    backup: path => store.backup(path),
    close: () => store.close(),
  }
}

function open(key: Uint8Array, sealed: Buffer, name: string, row: Row): Buffer {
  try {
    return unseal(key, sealed, name)
  } catch (cause) {
    throw new Fault('store/sealed', `Cannot read ${row.key}: it was sealed with another key, or changed since`, 'never', {
      cause,
      hint: 'put secrets.key of the instance that wrote this store, or this backup, into data/pki of the state folder',
    })
  }
}
