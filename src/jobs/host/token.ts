import { ApiError } from '../../api/status.ts'
import { hours, seconds } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'
import type { Caller, ObjectKey, ResourceRef } from '../../ports/index.ts'

const accounts: ResourceRef = { group: '', version: 'v1', plural: 'serviceaccounts', namespaced: true }

/** One hour, and renewed by nobody: what takes longer is started anew, and goes on from what it noted. */
const expirationSeconds = hours(1) / seconds(1)

/** Asks for a token as a kubelet does for a pod. */
export const requestToken =
  (kube: Caller) =>
  async ({ namespace, name }: ObjectKey, signal?: AbortSignal): Promise<string> => {
    const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds } }
    const key = namespace === undefined ? { name } : { name, namespace }
    try {
      const answer = await kube.call(accounts, key, 'token', body, signal ? { signal } : {})
      const status = answer['status']
      if (isObject(status) && typeof status['token'] === 'string') return status['token']
      throw new Fault('jobs/no-token', `Cannot start a Job: the API gave no token for ServiceAccount ${namespace}/${name}`)
    } catch (error) {
      if (!ApiError.is(error, 'NotFound')) throw error
      throw new Fault('jobs/no-account', `Cannot start a Job: there is no ServiceAccount ${namespace}/${name}`, 'backoff', {
        hint: 'create it, or name another one in the JobRunner',
      })
    }
  }
