import { type BareMetalHost, hosts } from '../../controllers/metal3/resources.ts'
import { Fault } from '../../core/fault.ts'
import { infraEnvLabel } from '../../policy/host-image/gate.ts'
import type { Kube } from '../../ports/index.ts'
import type { Papers } from '../../ports/provisioner.ts'
import { secrets } from './bmc-access.ts'
import { secretValue } from './secret-value.ts'

/** What a host's Secrets say to the system that is installed on it, read at the moment at which it is needed. */
export const hostPapers = (kube: Pick<Kube, 'find'>): Papers => ({
  async of({ namespace, name }) {
    const host = await kube.find(hosts, { namespace, name })
    const linked = host?.metadata.labels?.[infraEnvLabel] !== undefined
    const spec: NonNullable<BareMetalHost['spec']> | undefined = host?.spec
    const read = async (field: string, secret: string | undefined): Promise<Readonly<Record<string, string>>> => {
      if (secret === undefined || secret === '') return {}
      const found = await kube.find(secrets, { namespace, name: secret })
      const value = found && (secretValue(found, field) ?? secretValue(found, 'value'))
      if (value === undefined)
        throw new Fault(
          'provisioner/no-papers',
          `Cannot read the ${field} of ${namespace}/${name}: ${found ? `Secret ${secret} has neither ${field} nor value` : `Secret ${secret} is not there`}`,
        )
      return { [field]: value }
    }
    return {
      ...(await read('userData', spec?.userData?.name)),
      // What the ramdisk is told of its network holds for the installed system, unless that is told otherwise, or an InfraEnv describes it.
      ...(await read('networkData', spec?.networkData?.name ?? (linked ? undefined : spec?.preprovisioningNetworkDataName))),
      ...(await read('metaData', spec?.metaData?.name)),
    }
  },
})
