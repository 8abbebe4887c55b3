import { seconds } from '../../core/duration.ts'
import type { Turn } from '../../ports/provisioner.ts'
import type { There } from './sight.ts'
import { type Begun, failed, insist, often } from './turns.ts'

const drivesOf = ({ slots }: There) => (slots ?? []).filter(({ types }) => types.some(type => type === 'CD' || type === 'DVD'))

export const holdsDisc = (machine: There, url: string): boolean =>
  drivesOf(machine).some(({ inserted, image }) => inserted && image === url)

/** Puts a disc into a free drive of a machine that is off, or into the one that is ours; what the drive then shows is what counts. */
export function putIn(machine: There, url: string, begun: Begun): Turn {
  const drives = drivesOf(machine)
  if (!machine.hasMedia || drives.length === 0)
    return failed('its management controller has no virtual drive for discs, and this needs one', false)
  const drive = drives.find(({ id }) => id === begun.memory?.slot) ?? drives.find(({ inserted }) => !inserted)
  // Whoever put something in may be about to take it out.
  if (!drive) return { is: 'busy', because: 'all virtual drives of its management controller are taken', again: often }
  if (drive.inserted && begun.memory?.step !== 'insert') return takeOut(drive.id, begun, 'another disc is taken out')
  const shows = drive.inserted ? `drive ${drive.id} shows another disc` : `drive ${drive.id} stays empty`
  return insist(
    begun,
    { do: 'insert', slot: drive.id, url },
    { asks: 'its disc is put in', waits: 'its disc is being put in', gaveUp: shows, patience: seconds(60) },
    { slot: drive.id },
  )
}

/** Takes a disc out, and looks whether it is. */
export const takeOut = (slot: string, begun: Begun, because = 'its disc is taken out'): Turn =>
  insist(
    begun,
    { do: 'eject', slot },
    { asks: because, waits: 'its disc is being taken out', gaveUp: `the disc stays in drive ${slot}`, patience: seconds(60) },
    { slot },
  )

/** The disc in a machine that is ours: by its address, or by the drive that we noted. */
export const ours = ({ slots }: There, begun: Begun, urls: readonly (string | undefined)[]): string | undefined =>
  slots?.find(({ inserted, image, id }) => inserted && ((image !== undefined && urls.includes(image)) || id === begun.memory?.slot))?.id
