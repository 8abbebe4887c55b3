import { ApiError } from '../../api/status.ts'
import { Fault } from '../../core/fault.ts'
import type { Ids, Kube } from '../../ports/index.ts'
import { secrets } from '../compose/bmc-access.ts'
import { secretValue } from '../compose/secret-value.ts'

/** Holds the key that boot tickets are made and checked with: the same for controllers and for every replica of the boot server. */
export const bootKeySecret = 'rackwright-boot-key'

export async function readBootKey(kube: Pick<Kube, 'find'>, namespace: string): Promise<Uint8Array | undefined> {
  const secret = await kube.find(secrets, { namespace, name: bootKeySecret })
  const found = secret && secretValue(secret, 'key')
  if (secret === undefined) return undefined
  const key = found === undefined ? undefined : Buffer.from(found, 'base64url')
  if (key && key.length >= 32) return key
  throw new Fault('boot/key', `Cannot use Secret ${namespace}/${bootKeySecret}: its key is not 32 bytes long`, 'when-changed', {
    hint: 'delete it: the controllers make a new one, and boots that are open must be commanded again',
  })
}

/** Makes it where there is none. Two who try at once end with the same. */
export async function ensureBootKey(kube: Pick<Kube, 'find' | 'create'>, ids: Ids, namespace: string): Promise<Uint8Array> {
  for (;;) {
    const known = await readBootKey(kube, namespace)
    if (known) return known
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: bootKeySecret, namespace }, stringData: { key: ids.nonce(32) } }
    await kube.create(secrets, secret).catch((error: unknown) => {
      if (!ApiError.is(error, 'AlreadyExists')) throw error
    })
  }
}
