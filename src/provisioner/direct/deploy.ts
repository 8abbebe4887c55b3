import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { bootInstalled } from './boot-disk.ts'
import { deployLiveIso, isLive } from './live-iso.ts'
import type { Sight } from './sight.ts'
import { type Begun, failed, withMachine } from './turns.ts'
import { needsRamdisk, withRamdisk } from './with-ramdisk.ts'

/** Installs what is wanted: a disc that stays in, an image that the agent writes, or a step of the agent's own. */
export function deploy(sight: Sight, host: HostOrder, begun: Begun): Turn {
  if (isLive(host)) return withMachine(sight, machine => deployLiveIso(machine, host, begun))
  if (host.customDeploy === undefined && host.image?.url.startsWith('oci://'))
    return failed('images of a registry (oci://) are not installed by this engine; give the address of the image itself', false)
  if (sight.is === 'there' && sight.ramdisk === undefined && begun.memory?.stage !== 'leave')
    return failed(`${needsRamdisk}; a live-iso does not`, false)
  return withRamdisk(sight, host, begun, machine => bootInstalled(machine, host, begun))
}
