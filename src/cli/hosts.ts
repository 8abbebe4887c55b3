import { ApiError } from '../api/status.ts'
import { type BareMetalHost, hosts } from '../controllers/metal3/resources.ts'
import type { ObjectKey, Reader } from '../ports/index.ts'

/** A host, where the API has them at all. */
export const findHost = (kube: Reader, key: ObjectKey): Promise<BareMetalHost | undefined> =>
  kube.find(hosts, key).catch(notServed(undefined))

export const listHosts = async (kube: Reader): Promise<readonly BareMetalHost[]> =>
  (await kube.list(hosts).catch(notServed({ items: [] as readonly BareMetalHost[] }))).items

const notServed =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (ApiError.is(error, 'NotFound')) return instead
    throw error
  }
