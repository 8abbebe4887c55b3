import { hosts } from '../../controllers/metal3/resources.ts'
import { Fault } from '../../core/fault.ts'
import { readBmcAddress } from '../../policy/metal3/bmc-address.ts'
import type { BmcAccess, Kube } from '../../ports/index.ts'
import { secrets } from './bmc-access.ts'
import { secretValue } from './secret-value.ts'

/** How a host says that its controller is reached and logged in to; its name in the pool is `host/<namespace>/<name>`. */
export const hostAccess =
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
    const secret = await kube.find(secrets, { namespace, name: credentialsName })
    // Files with a line's end are a common way to make Secrets.
    const [username, password] = ['username', 'password'].map(key => secret && secretValue(secret, key)?.trim())
    return {
      address: address.url,
      ...(address.system === undefined ? {} : { system: address.system }),
      // Asked for on the host itself, where a condition says so: whatever certificate is shown is believed.
      tls: disableCertificateVerification ? { trust: 'OnFirstUse', seen: async () => true } : { trust: 'System' },
      ...(secret?.metadata.resourceVersion === undefined ? {} : { revision: `${secret.metadata.uid}/${secret.metadata.resourceVersion}` }),
      async credentials() {
        if (username === undefined || password === undefined)
          throw new Fault(
            'bmc/no-credentials',
            `Cannot speak to the BMC of ${namespace}/${name}: Secret ${credentialsName} has no username and password`,
          )
        return { username, password }
      },
    }
  }
