import { claims, configurations, servers } from '../controllers/metal/resources.ts'
import type { Reader } from '../ports/index.ts'
import { listHosts } from './hosts.ts'
import type { Fleet } from './output/servers.ts'

/** Everything that the overview shows, read at once. */
export async function readFleet(kube: Reader): Promise<Fleet> {
  const [all, claimed, configured, hosts] = await Promise.all([
    kube.list(servers),
    kube.list(claims),
    kube.list(configurations),
    listHosts(kube),
  ])
  return { servers: all.items, claims: claimed.items, configurations: configured.items, hosts }
}
