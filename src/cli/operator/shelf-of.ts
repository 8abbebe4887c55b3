import type { Clock, Reader } from '../../ports/index.ts'
import { registryCredentials } from '../compose/registry-credentials.ts'
import { openShelf, type Shelf } from '../compose/shelf.ts'
import type { ClusterSettings } from './settings.ts'

/** Where images come from and are kept, as the settings have it. */
export function shelfOf(settings: ClusterSettings, kube: Reader, clock: Clock): Shelf {
  const { cache, bootUrl, layouts, registries, registryRules, registryCredentials: secret, namespace } = settings
  return openShelf({
    folder: cache,
    baseUrl: bootUrl,
    layouts,
    clock,
    registries: registryRules,
    ...(registries ? { allowed: registries } : {}),
    ...(secret === undefined ? {} : { credentials: registryCredentials(kube, namespace, secret) }),
  })
}
