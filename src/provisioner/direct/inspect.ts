import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import type { Sight } from './sight.ts'
import { type Begun, done, failed } from './turns.ts'
import { needsRamdisk, withRamdisk } from './with-ramdisk.ts'

/** Its controller is asked alone, or the agent tells what it finds on the machine; the machine is left by what comes next. */
export function inspect(sight: Sight, host: HostOrder, begun: Begun): Turn {
  if (host.inspection === 'fast') {
    if (sight.is !== 'there') return failed(sight.is === 'silent' ? sight.because : 'its agent was asked instead of its controller')
    return sight.inventory
      ? done('its management controller told what it is made of', { inventory: sight.inventory })
      : failed('nothing was found')
  }
  if (sight.is === 'there' && sight.ramdisk === undefined)
    return failed(`${needsRamdisk}: set inspectionMode to fast to ask its management controller alone`, false)
  return withRamdisk(sight, host, begun, () => done('it was inspected'))
}
