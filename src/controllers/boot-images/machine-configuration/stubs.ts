import { renewedStub } from '../../../policy/boot-images/managed-stub.ts'
import type { Cached } from '../../../ports/index.ts'
import { authorityKey, authorityMaps, type Data, stubSecrets } from '../resources.ts'

/** A managed stub that is not as it should be. */
export interface StaleStub {
  readonly name: string
  readonly namespace: string
  readonly revision: string
  readonly userData: string
}

const managed = /^(?<role>[a-z0-9.-]+)-user-data-managed$/

/** Managed stubs that believe an old certificate, or lack what a user put into `<role>-user-data-custom`. */
export function staleStubs(cached: Cached): readonly StaleStub[] {
  const authority = cached.get(authorityMaps, authorityKey)?.data?.['ca-bundle.crt']
  return stubSecrets.flatMap(of => {
    const secrets = cached.list(of)
    return secrets.flatMap(secret => {
      const role = managed.exec(secret.metadata.name)?.groups?.['role']
      const userData = userDataOf(secret)
      if (role === undefined || userData === undefined) return []
      const custom = userDataOf(secrets.find(({ metadata }) => metadata.name === `${role}-user-data-custom`))
      const next = renewedStub(userData, { authority, custom })
      const { name, namespace = '', resourceVersion = '' } = secret.metadata
      return next === undefined ? [] : [{ name, namespace, revision: resourceVersion, userData: next }]
    })
  })
}

const userDataOf = (secret: Data | undefined): string | undefined => {
  const data = secret?.data?.['userData']
  return data === undefined ? undefined : Buffer.from(data, 'base64').toString('utf8')
}
