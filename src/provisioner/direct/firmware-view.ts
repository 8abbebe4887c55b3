import { sameUuid } from '../../policy/identity.ts'
import type { Bmc, BmcPool } from '../../ports/bmc.ts'
import type { FirmwareSight, FirmwareView, HostOrder } from '../../ports/provisioner.ts'
import { componentsOf, registryOf } from './firmware-sight.ts'
import { poolName } from './pool-name.ts'
import { wordsOf } from './sight.ts'

/** What the firmware of a host is, for whoever shows it: nothing is changed. */
export const firmwareView = (pool: BmcPool): FirmwareView => ({
  async look(host, before, signal) {
    try {
      return await pool.use(poolName(host), bmc => look(bmc, host, before, signal), signal)
    } catch (error) {
      return { is: 'silent', because: wordsOf(error) }
    }
  },
})

async function look(bmc: Bmc, { systemUUID }: HostOrder, before: FirmwareSight | undefined, signal: AbortSignal): Promise<FirmwareSight> {
  const { uuid } = await bmc.glance(signal)
  if (systemUUID !== undefined && uuid !== undefined && !sameUuid(uuid, systemUUID))
    return { is: 'silent', because: 'another machine answers in its place' }
  const { manufacturer, model } = bmc.identity
  const components = (await componentsOf(bmc, signal)).map(({ component, version }) => ({ component, version }))
  const biosIn = (of: typeof components) => of.find(({ component }) => component === 'bios')?.version
  const same = before?.is === 'there' && biosIn(components) !== undefined && biosIn([...before.components]) === biosIn(components)
  return {
    is: 'there',
    vendor: manufacturer,
    model,
    settings: await bmc.bios?.settings(signal),
    registry: same ? before.registry : await registryOf(bmc, signal),
    components,
  }
}
