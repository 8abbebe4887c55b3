import type { Bmc, FirmwareComponent, MediaSlot } from '../../ports/bmc.ts'
import { madeBy, type Quirk } from './quirk.ts'

const applies = madeBy(/^Lenovo/i)

/** XCC lists firmware that waits for a reset as a second component, "BMC-Backup-Pending" and the like (metal-operator checks the suffix). */
const pendingFirmware: Quirk = {
  name: 'lenovo-pending-firmware',
  because: 'inventory members with the suffix "-Pending" are not running yet',
  applies,
  wrap(bmc) {
    const { firmware } = bmc
    if (!firmware) return bmc
    const running = ({ id }: FirmwareComponent): boolean => !id.endsWith('-Pending')
    return { ...bmc, firmware: { ...firmware, components: async signal => (await firmware.components(signal)).filter(running) } }
  },
}

/** SR675 V3 with some XCC levels never comes back from ForceRestart (vendor table of the reference notes). */
const noForceRestart: Quirk = {
  name: 'lenovo-sr675-restart',
  because: 'ForceRestart hangs some SR675 V3; off and on again works',
  applies: to => applies(to) && /SR675 V3/i.test(to.model),
  wrap: (bmc): Bmc => ({
    ...bmc,
    power: {
      ...bmc.power,
      // Nothing waits here: the first call switches off, and the caller's next one, which finds it off, switches on.
      async set(to, how, signal) {
        if (to !== 'Cycle' || how !== 'forced') return bmc.power.set(to, how, signal)
        return bmc.power.set((await bmc.power.state(signal)) === 'Off' ? 'On' : 'Off', 'forced', signal)
      },
    },
  }),
}

/** XCC lists RemoteN and RDOCN for its own console and uploads beside EXTN, all without an insert action (sushy and Ironic use EXTN only). */
const extSlots: Quirk = {
  name: 'lenovo-ext-slots',
  because: 'only slots called EXT take an image by a change of the slot',
  applies,
  wrap(bmc) {
    const { media } = bmc
    if (!media) return bmc
    const usable = ({ id, by }: MediaSlot): boolean => by === 'action' || /\/EXT\d*\/?$/i.test(id)
    return { ...bmc, media: { ...media, slots: async signal => (await media.slots(signal)).filter(usable) } }
  },
}

export const lenovo: readonly Quirk[] = [pendingFirmware, noForceRestart, extSlots]
