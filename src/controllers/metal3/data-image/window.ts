import { plainReboot, rebootOf } from '../../../policy/metal3/reboot.ts'
import type { BareMetalHost } from '../resources.ts'

/**
 * Whether a host that stays provisioned is about to be switched on, or restarted: it is off and shall be on, or is never off and shall
 * be restarted. A restart by the system itself is none of ours.
 */
export function isAboutToStart({ metadata, spec, status }: BareMetalHost): boolean {
  const annotations = metadata.annotations ?? {}
  const reboot = rebootOf(annotations)
  if (spec?.disablePowerOff) return plainReboot in annotations && status?.engine?.step !== 'restart'
  return spec?.online === true && status?.poweredOn === false && !reboot?.held
}
