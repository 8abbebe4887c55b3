import { hostController } from '../../controllers/metal3/host/index.ts'
import { metal3Indexes } from '../../controllers/metal3/indexes.ts'
import { type BareMetalHost, hosts } from '../../controllers/metal3/resources.ts'
import { Fault } from '../../core/fault.ts'
import { readBmcAddress } from '../../policy/metal3/bmc-address.ts'
import type { BmcAccess, Clock, Ids, Kube, Log } from '../../ports/index.ts'
import { directEngine } from '../../provisioner/direct/index.ts'
import { bmcPool } from '../../redfish/index.ts'
import { type Controllers, type LeaseOptions, openControllers } from '../../runtime/index.ts'
import { secrets } from './bmc-access.ts'
import { secretValue } from './secret-value.ts'

export interface HostsPorts {
  readonly kube: Kube
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly identity: string
  readonly lease?: LeaseOptions
}

export interface Hosts {
  readonly controllers: Controllers
  close(): Promise<void>
}

/** The controller of BareMetalHosts with our own engine, over one API. Nothing runs before `controllers.start`. */
export function openHosts({ kube, clock, ids, log, identity, lease }: HostsPorts): Hosts {
  const controllers = openControllers({ kube, clock, ids, log, identity, indexes: metal3Indexes, ...(lease ? { lease } : {}) })
  const pool = bmcPool({ clock, log, access: hostAccess(kube) })
  controllers.add(own => hostController({ kube: own, engine: directEngine(pool), now: () => clock.now() }))
  return {
    controllers,
    async close() {
      await controllers.stop()
      await pool.close()
    },
  }
}

/** How a host says that its controller is reached and logged in to; its name in the pool is `host/<namespace>/<name>`. */
const hostAccess =
  (kube: Pick<Kube, 'find'>) =>
  async (pooled: string): Promise<BmcAccess> => {
    const [, namespace = '', name = ''] = pooled.split('/')
    const host = await kube.find(hosts, { namespace, name })
    const address = host?.spec?.bmc ? readBmcAddress(host.spec.bmc.address) : undefined
    if (!host?.spec?.bmc || !address || 'because' in address)
      throw new Fault(
        'bmc/no-address',
        `Cannot speak to the BMC of ${namespace}/${name}: ${address && 'because' in address ? address.because : 'it has none'}`,
      )
    const { credentialsName, disableCertificateVerification } = host.spec.bmc
    return {
      address: address.url,
      ...(address.system === undefined ? {} : { system: address.system }),
      // Asked for on the host itself, where a condition says so: whatever certificate is shown is believed.
      tls: disableCertificateVerification ? { trust: 'OnFirstUse', seen: async () => true } : { trust: 'System' },
      credentials: () => credentialsOf(kube, host, credentialsName),
    }
  }

async function credentialsOf(kube: Pick<Kube, 'find'>, { metadata }: BareMetalHost, name: string) {
  const secret = await kube.find(secrets, { namespace: metadata.namespace ?? '', name })
  // Files with a line's end are a common way to make Secrets.
  const [username, password] = ['username', 'password'].map(key => secret && secretValue(secret, key)?.trim())
  if (username === undefined || password === undefined)
    throw new Fault(
      'bmc/no-credentials',
      `Cannot speak to the BMC of ${metadata.namespace}/${metadata.name}: Secret ${name} has no username and password`,
    )
  return { username, password }
}
