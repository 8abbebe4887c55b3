import { Fault } from '../../core/fault.ts'
import { type CredentialsOf, credentialsIn } from '../../oci/credentials.ts'
import type { Reader } from '../../ports/index.ts'
import { secrets } from './bmc-access.ts'
import { secretValue } from './secret-value.ts'

/** What registries are told of us, from a Secret of type kubernetes.io/dockerconfigjson: read whenever one asks, so that it may be changed. */
export const registryCredentials =
  (kube: Reader, namespace: string, name: string): CredentialsOf =>
  async registry => {
    const secret = await kube.find(secrets, { namespace, name }).catch((cause: unknown) => {
      throw new Fault(
        'image/no-credentials',
        `Cannot read the credentials of ${registry}: Secret ${namespace}/${name} cannot be read`,
        'backoff',
        {
          cause,
        },
      )
    })
    const text = secret && secretValue(secret, '.dockerconfigjson')
    if (text === undefined)
      throw new Fault(
        'image/no-credentials',
        `Cannot read the credentials of ${registry}: Secret ${namespace}/${name} ${secret ? 'has no .dockerconfigjson' : 'is not there'}`,
        'backoff',
        { hint: `kubectl create secret docker-registry -n ${namespace} ${name} …` },
      )
    return credentialsIn(text, registry)
  }
