import { actionTarget, linkTo } from '../transport/link.ts'
import { texts } from '../transport/read.ts'
import { isRefusal } from '../transport/refusal.ts'
import { madeBy, type Quirk } from './quirk.ts'

const applies = madeBy(/^Super ?micro/i)

/** Ironic's vendor code and the recorded SYS-821GE tree (offers both): X11 to X13 attach virtual media as a USB drive. */
const usbCd: Quirk = {
  name: 'smc-usb-cd',
  because: 'virtual media is a USB CD; "Cd" boots the SATA drive bay. ARS-111GL-NHR is the known exception',
  applies: to => applies(to) && !/ARS-111GL-NHR/i.test(to.model),
  habits: { cd: ['UsbCd', 'Cd'] },
}

/** metal-operator issues 982 and 985: an override without the mode is taken and then not honoured; X10 has no such field and refuses it. */
const modeEveryTime: Quirk = {
  name: 'smc-mode-every-time',
  because: 'the override is honoured only with BootSourceOverrideMode where that field exists',
  applies,
  habits: { bootMode: 'where-offered' },
}

/** X13 and H13 refuse PATCH of BootOrder; the order of classes goes through FixedBootOrder (in the recorded tree under Oem). */
const fixedBootOrder: Quirk = {
  name: 'smc-fixed-boot-order',
  because: 'BootOrder refuses changes; Oem FixedBootOrder takes the same devices by their names',
  applies,
  wrap(bmc, { service, system }) {
    const path = linkTo(system, 'Oem', 'Supermicro', 'FixedBootOrder')
    const { setOrder, options } = bmc.boot
    if (path === undefined || !setOrder || !options) return bmc
    return {
      ...bmc,
      boot: {
        ...bmc.boot,
        async setOrder(references, signal) {
          try {
            return await setOrder(references, signal)
          } catch (error) {
            if (!isRefusal(error, 'bmc/refused', 'bmc/not-offered', 'bmc/forbidden')) throw error
            const names = new Map((await options(signal)).map(option => [option.reference, option.name]))
            const classes = texts(await service.get(path, signal), 'FixedBootOrder')
            const rank = (entry: string): number => {
              const at = references.findIndex(reference => entry.endsWith(`:${names.get(reference)}`))
              return at < 0 ? references.length : at
            }
            await service.patch(path, { FixedBootOrder: classes.toSorted((a, b) => rank(a) - rank(b)) }, signal)
          }
        },
      },
    }
  },
}

/** Their update guide and the recorded tree: an upload only stores the image, StartUpdate begins with it. */
const twoPhases: Quirk = {
  name: 'smc-two-phase-update',
  because: 'an uploaded image waits until UpdateService.StartUpdate',
  applies,
  wrap(bmc, { service, root }) {
    const { firmware } = bmc
    const updates = linkTo(root, 'UpdateService')
    if (!firmware || updates === undefined) return bmc
    return {
      ...bmc,
      firmware: {
        ...firmware,
        async push(name, image, targets, signal) {
          const uploaded = await firmware.push(name, image, targets, signal)
          const start = actionTarget(await service.get(updates, signal), '#UpdateService.StartUpdate')
          return start === undefined ? uploaded : ((await service.post(start, {}, signal)).task ?? uploaded)
        },
      },
    }
  },
}

export const supermicro: readonly Quirk[] = [usbCd, modeEveryTime, fixedBootOrder, twoPhases]
