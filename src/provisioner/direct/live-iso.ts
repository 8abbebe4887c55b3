import type { HostOrder, Turn } from '../../ports/provisioner.ts'
import { powerOff, powerOn } from './power.ts'
import type { There } from './sight.ts'
import { type Begun, begin, done, failed, givenFor, pending } from './turns.ts'

/** Boots a disc that stays in: noted, put in while the machine is off, read back, made its boot device, then switched on. */
export function deployLiveIso(machine: There, host: HostOrder, begun: Begun): Turn {
  const url = host.image?.url ?? ''
  if (!machine.hasMedia || !machine.slots) return failed('its management controller has no virtual media, which a live-iso needs', false)
  const drives = machine.slots.filter(({ types }) => types.some(type => type === 'CD' || type === 'DVD'))
  const holds = drives.find(({ inserted, image }) => inserted && image === url)
  const isArmed = machine.armed.target === 'Cd' && machine.armed.lasts !== 'Disabled'
  if (holds && machine.power === 'On' && begun.memory?.work === 'deploy' && begun.memory.step === 'switchOn')
    return done('it runs from its disc')
  if (!holds || !isArmed) {
    // Whatever ran before: its disc and its boot device are changed only while it is off.
    const off = powerOff(machine, { ...host, neverOff: false }, begun)
    if (off.is !== 'done') return off
  }
  if (!holds) {
    const drive = drives.find(({ id }) => id === begun.memory?.slot) ?? drives.find(({ inserted }) => !inserted)
    if (!drive) return failed('all virtual drives of its management controller are taken')
    const given = givenFor(begun, 'insert')
    if (given !== undefined && given < 60_000) return pending('its disc is being put in')
    if (drive.inserted) return begin({ ...begun, slot: drive.id }, 'another disc is taken out', { do: 'eject', slot: drive.id })
    return begin({ ...begun, slot: drive.id }, 'its disc is put in', { do: 'insert', slot: drive.id, url })
  }
  if (!isArmed) {
    const given = givenFor(begun, 'bootFrom')
    if (given !== undefined && given < 30_000) return pending('it is being told to boot from its disc')
    return begin(begun, 'it is told to boot from its disc', { do: 'bootFrom', target: 'Cd' })
  }
  return powerOn(machine, begun)
}
