import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const sizes = { nonce: 12, tag: 16 }

/** Bytes that nobody reads or changes without the key (32 bytes), and that open under the name only that they were sealed for. */
export function seal(key: Uint8Array, bytes: Uint8Array, name: string): Buffer {
  const nonce = randomBytes(sizes.nonce)
  const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(name))
  return Buffer.concat([nonce, sealing.update(bytes), sealing.final(), sealing.getAuthTag()])
}

/** Throws where the key or the name is another one, or the bytes were changed. */
export function unseal(key: Uint8Array, sealed: Buffer, name: string): Buffer {
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, sizes.nonce)).setAAD(Buffer.from(name))
  opening.setAuthTag(sealed.subarray(sealed.length - sizes.tag))
  return Buffer.concat([opening.update(sealed.subarray(sizes.nonce, sealed.length - sizes.tag)), opening.final()])
}
