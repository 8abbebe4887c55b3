import { Fault } from '../../core/fault.ts'
import { Exit, failed } from './exit.ts'
import type { ProgramPorts } from './program.ts'
import type { Target } from './target.ts'

/** What does not end well is told in the object's status before it is told by the exit code. */
export async function reporting(
  target: Pick<Target<unknown>, 'gaveUp'>,
  { signal, say }: ProgramPorts,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    // Asked to end: the next try goes on from the notes, which stay as they are.
    signal.throwIfAborted()
    const exit = error instanceof Exit ? error : failed(error instanceof Fault ? error.message : String(error))
    await target.gaveUp(exit.outcome, exit.message).catch((why: unknown) => say(`The status could not be written: ${String(why)}`))
    throw exit
  }
}
