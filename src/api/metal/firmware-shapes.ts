import { int64, integer, object, oneOf, optional, type Schema, string } from '../schema.ts'
import { intOrString, namespacedRef, time } from '../shapes.ts'

// What ServerBIOS and ServerFirmware have in common.

export const jobPrograms = ['bios-scan', 'bios-version-update', 'bios-settings-update', 'firmware-scan', 'firmware-update'] as const

/** `30` and `"30m"` are the same: the proposal spells it both ways. */
export const scanPeriod = (): Schema<string | number> => {
  const { structural } = intOrString(
    'Minutes after which what is known counts as outdated, and the server is asked again: 30 or "30m". At least 1; no other unit.',
  )
  return { structural: { ...structural, pattern: '^[1-9][0-9]{0,5}m?$', minimum: 1, maximum: 999_999, default: 30 } }
}

/** Any text, whole number or truth value; what a setting may be is checked against the registry of the machine. */
export const settingValue = (description: string): Schema<string | number | boolean> => ({
  structural: { description, 'x-kubernetes-preserve-unknown-fields': true },
})

export const runningJob = () => namespacedRef('The Job that runs; there only while one does.')

/** Written by the job alone: how far it is, and how it ended. */
export const lastJob = () =>
  object(
    {
      name: string('The Job.'),
      program: oneOf(jobPrograms, 'What it does.'),
      outcome: oneOf(
        ['Running', 'Succeeded', 'Failed', 'Refused', 'Stopped'],
        'How it ended. Failed is worth another try; Refused waits for a changed spec; Stopped means that what authorised it was gone.',
      ),
      message: optional(string('What was found, in words.', { maxLength: 4096 })),
      step: optional(string('What it was doing last.', { maxLength: 256 })),
      progress: optional(integer('How far the BMC says its task is, in percent.', { minimum: 0, maximum: 100 })),
      task: optional(string('Where the BMC shows that task: noted so that a job started anew goes on with it.', { maxLength: 1024 })),
      generation: optional(int64('The generation of the object that it worked for.')),
      power: optional(oneOf(['On', 'Off'], 'Whether the machine was on when the job began: so it is left.')),
      finished: optional(time('When it ended.')),
    },
    'The newest job, as it reports itself.',
  )

/** Written by the controller alone: jobs that failed in a row. Scans have one of their own: one that works says nothing about an update. */
export const trouble = (description: string) =>
  object(
    {
      program: oneOf(jobPrograms, 'What failed.'),
      failures: integer('How often in a row.', { minimum: 1 }),
      generation: int64('For which generation of the object.'),
      job: string('The last Job that did.'),
      next: optional(time('When it is tried again; missing where only a change leads on.')),
      message: string('What was found.', { maxLength: 4096 }),
    },
    description,
  )
