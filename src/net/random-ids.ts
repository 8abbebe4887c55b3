import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Ids } from '../ports/index.ts'

/** Letters and digits without the ones that read alike or spell words, as Kubernetes chose them. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

export const randomIds: Ids = {
  uid: () => randomUUID(),
  suffix: length => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join(''),
  nonce: bytes => randomBytes(bytes).toString('base64url'),
}
