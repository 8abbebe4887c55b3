import { array, boolean, int64, integer, object, oneOf, optional, string } from '../schema.ts'
import { time } from '../shapes.ts'

/** A boot before the last one, as far as people ask about it afterwards. */
export const earlierBoot = () =>
  object(
    {
      attempt: integer('Its number.'),
      purpose: string('What it was for.'),
      method: string('What the machine was told to boot.'),
      configuration: optional(string('The ServerBootConfiguration that was booted, as namespace/name.')),
      opened: time('When it was noted.'),
      asked: optional(time('When the power was last asked for.')),
      reset: optional(string('When the machine was reset, as its BMC said.')),
      served: optional(
        array(
          object({ what: string('What was fetched.'), time: time('When it was fetched whole.') }, 'A fetch.'),
          'What the boot server served to it.',
          { maxItems: 8 },
        ),
      ),
      reported: optional(
        array(object({ state: string('What was reported.'), time: time('When.') }, 'A report.'), 'What its system reported.', {
          maxItems: 8,
        }),
      ),
      outcome: optional(string('How it ended, in a word.')),
      because: optional(string('How it ended, in words.')),
    },
    'A boot before the last one.',
  )

/** Which configuration, and which version of it: another generation is another boot. */
const bootOf = () =>
  object(
    {
      namespace: string('Its namespace.'),
      name: string('Its name.'),
      uid: string('Its UID.'),
      generation: int64('Its generation when the boot was begun.'),
    },
    'The ServerBootConfiguration that is booted.',
  )

/**
 * The last boot that was commanded: noted before the machine is touched, so that a crash leaves no boot that nobody knows of.
 * Only the server controller writes it; the boot server reads from it what it may serve.
 */
export const boot = () =>
  object(
    {
      attempt: integer('Counts the boots of this server; tickets name it.'),
      purpose: oneOf(['Discovery', 'Claim', 'Maintenance'], 'What the boot is for.'),
      method: oneOf(['Pxe', 'UefiHttp', 'VirtualMedia', 'Hdd'], 'What the machine was told to boot.'),
      configuration: optional(bootOf()),
      step: oneOf(
        ['Arming', 'Starting', 'Running', 'Ended'],
        'Where it is: the override is being set and read back; the power is being switched; the machine boots or installs; it is over, and nothing is served for it.',
      ),
      serves: boolean('Whether install artefacts may be fetched: not any more once the system that they start has been seen.'),
      asked: optional(time('When the power was last asked for.')),
      reset: optional(
        string('When the machine was last reset, as its BMC said when it came on: a later time is a reset that nobody here asked for.'),
      ),
      ran: optional(boolean('Whether a system was seen running.')),
      next: optional(oneOf(['Hdd'], 'What the next reset within this boot reaches: the disk, once the installer is done.')),
      cycled: optional(boolean('Whether an installer’s own reboot was answered by switching the machine off and on.')),
      answered: optional(
        string('Which reset that was, as the BMC stamps it: while it is the last one, the answer did not reach the machine.'),
      ),
      slot: optional(string('The virtual drive that its disc was put into, until it is seen to be out.')),
      standby: optional(boolean('Whether it was noted while the machine runs, for whenever it restarts: in a maintenance.')),
      opened: time('When it was noted.'),
      expires: time('When it is over whatever happens.'),
      holder: optional(string('Which process noted it.')),
      outcome: optional(string('How it ended, in a word.')),
      because: optional(string('How it ended, in words.')),
    },
    'The last boot that was commanded.',
  )
