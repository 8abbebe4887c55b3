import { sameUuid } from '../../policy/identity.ts'
import type { Bmc, BmcPool } from '../../ports/bmc.ts'
import type { DataMedia, HostOrder, MediaSight } from '../../ports/provisioner.ts'
import { poolName } from './pool-name.ts'
import { silent } from './sight.ts'

/** Drives of a host for discs that it does not boot from: its boot device is never touched. */
export const dataMedia = (pool: BmcPool): DataMedia => ({
  async look(host, signal) {
    try {
      return await pool.use(poolName(host), bmc => look(bmc, host, signal), signal)
    } catch (error) {
      const seen = silent(error)
      return { is: 'silent', because: seen.is === 'silent' ? seen.because : 'it does not answer' }
    }
  },
  insert: (host, drive, url, signal) => pool.use(poolName(host), async bmc => bmc.media?.insert(drive, url, signal), signal),
  eject: (host, drive, signal) => pool.use(poolName(host), async bmc => bmc.media?.eject(drive, signal), signal),
})

async function look(bmc: Bmc, { systemUUID }: HostOrder, signal: AbortSignal): Promise<MediaSight> {
  const { power, uuid } = await bmc.glance(signal)
  const slots = (await bmc.media?.slots(signal))?.filter(({ types }) => types.some(type => type === 'CD' || type === 'DVD'))
  return {
    is: 'there',
    power,
    stranger: systemUUID !== undefined && uuid !== undefined && !sameUuid(uuid, systemUUID),
    busy: ((await bmc.firmware?.running(signal))?.length ?? 0) > 0,
    drives:
      slots && slots.length > 0
        ? slots.map(({ id, inserted, image }) => ({ id, inserted, ...(image === undefined ? {} : { image }) }))
        : undefined,
  }
}
