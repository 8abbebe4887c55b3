import { doing, type Seen, seeing, without } from './metal.ts'
import type { MetalMutant } from './mutant.ts'

type Drives = NonNullable<Extract<Seen['machine'], { is: 'there' }>['media']>
const withDrives = (seen: Seen, change: (drive: Drives[number]) => Drives[number]): Seen =>
  seen.machine.is === 'there' && seen.machine.media
    ? { ...seen, machine: { ...seen.machine, media: seen.machine.media.map(change) } }
    : seen

/** Mistakes that somebody could make about discs. */
export const mediaMutants: readonly MetalMutant[] = [
  doing('fromDisc', 'a disc that stays in', 'the next restart installs the server again', plan => without(plan, 'eject')),
  seeing('fromDisc', 'a disc that is forgotten', 'nobody takes it out', seen =>
    seen.boot?.step === 'Ended' ? withDrives(seen, drive => ({ ...drive, inserted: false })) : seen,
  ),
  doing('fromDisc', 'a disc in a drive that nobody noted', 'a crash leaves a disc that nobody knows of', plan => {
    const { boot } = plan.status as { readonly boot?: { readonly slot?: unknown } }
    return boot?.slot === undefined ? plan : { ...plan, status: { ...plan.status, boot: { ...boot, slot: null } } }
  }),
  seeing('discGoes', 'a disc taken out under its system', 'its root is gone while it shuts down', seen =>
    seen.boot?.slot !== undefined && seen.boot.outcome === 'SwitchedOff' ? { ...seen, boot: { ...seen.boot, outcome: 'Closed' } } : seen,
  ),
  {
    ...seeing('fromDisc', 'switched on before its disc was read back', 'a machine boots whatever is in the drive', seen =>
      seen.boot?.step === 'Arming' ? withDrives(seen, drive => ({ ...drive, ours: true })) : seen,
    ),
    // A crash between the note and the call, or a call that fails, leaves the drive empty.
    looks: ['crash after', 'fails'],
  },
]
