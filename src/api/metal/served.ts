import { array, int64, integer, listMap, map, object, oneOf, optional, string } from '../schema.ts'
import { time } from '../shapes.ts'
import { inventoryFields } from './server-inventory.ts'

export const fetched = ['script', 'kernel', 'initramfs', 'squashfs', 'uki', 'iso', 'ignition'] as const

const fetch = () =>
  object(
    {
      what: oneOf(fetched, 'What was fetched.'),
      first: time('When it was first asked for.'),
      done: optional(time('When it was first served whole.')),
      from: optional(string('The address that asked first; others are refused.')),
    },
    'Something that was fetched.',
  )

const report = () =>
  object(
    { state: string('What the system said, such as Booted or Installed.', { maxLength: 64 }), time: time('When it said so first.') },
    'What the booted system said about itself.',
  )

/** What the discovery probe found, as it was sent; the server controller takes it over. */
const registration = () =>
  object(
    {
      systemUUID: string('The UUID that the system found on itself.'),
      time: time('When it came.'),
      ...inventoryFields(),
      labels: optional(map(string('Its value.'), 'Anything else that is worth keeping.')),
    },
    'What the probe registered.',
  )

/** What the boot server saw of one boot: its evidence. The boot server alone writes it, and nothing else of the status. */
export const served = () =>
  object(
    {
      attempt: integer('The attempt that this belongs to.'),
      fetches: optional(listMap(['what'], fetch(), 'What was fetched.')),
      reports: optional(array(report(), 'What the booted system said, oldest first; each state once.')),
      registration: optional(registration()),
      refused: optional(int64('How many requests were refused during this attempt, counted in steps of ten.')),
    },
    'What the boot server saw of a boot.',
  )
