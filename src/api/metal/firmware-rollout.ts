import { array, boolean, defaulted, integer, listMap, object, oneOf, optional, type Schema, string } from '../schema.ts'
import { conditions, intOrString, labelSelector, observedGeneration, time } from '../shapes.ts'

// What ServerBIOSSet and ServerFirmwareSet have in common.

export const rolloutStates = ['Scanning', 'Waiting', 'Updating', 'InSync', 'Failed', 'Held', 'Overridden'] as const

const maxUnavailable = (): Schema<string | number> => {
  const { structural } = intOrString(
    'How many servers may be worked on at once: a number, or a share such as "5%" (rounded down, at least 1).',
  )
  return { structural: { ...structural, pattern: '^([1-9]|[1-9][0-9]|100)%$', minimum: 1, default: '5%' } }
}

export const rollout = () =>
  object(
    {
      canary: defaulted(
        integer('How many servers go first, one after the other; the rest waits until all of them are in sync.', { minimum: 0 }),
        1,
      ),
      maxUnavailable: maxUnavailable(),
      pauseAfterFailures: defaulted(integer('After so many servers that failed nothing new is started.', { minimum: 1 }), 1),
      paused: defaulted(boolean('Nothing new is started while this is so.'), false),
    },
    'In which order, and how many at once.',
  )

export const fleetFields = () => ({
  serverSelector: labelSelector('Which servers.'),
  rollout: defaulted(rollout(), { canary: 1, maxUnavailable: '5%', pauseAfterFailures: 1, paused: false }),
  allowDowngrade: defaulted(boolean('Whether servers with a newer version are taken back to this one.'), false),
  maintenancePolicy: optional(
    oneOf(
      ['OwnerApproval', 'Enforced'],
      'Takes claimed servers out of service through a ServerMaintenance of this policy; without it they wait until they are free.',
    ),
  ),
})

export const fleetStatus = () =>
  object(
    {
      phase: optional(oneOf(['Canary', 'Rolling', 'Paused', 'Done'], 'How far it has come.')),
      revision: optional(string('The wish that is being rolled out, as a digest.')),
      selected: optional(integer('How many servers are selected.')),
      inSync: optional(integer('How many of them are as wanted.')),
      updating: optional(integer('How many are being worked on.')),
      failed: optional(integer('How many failed.')),
      waiting: optional(integer('How many have not had their turn.')),
      canaries: optional(array(string('A server.'), 'Those that go first.')),
      accepted: optional(array(string('A server.'), 'Those whose failure somebody has taken note of by resuming.')),
      paused: optional(
        object({ since: time('Since when.'), reason: string('Why, in words.', { maxLength: 4096 }) }, 'Where it stopped by itself.'),
      ),
      servers: optional(
        listMap(
          ['name'],
          object(
            {
              name: string('The Server.'),
              object: optional(string('The object that says what is wanted of it.')),
              state: oneOf(rolloutStates, 'Where it is.'),
              message: optional(string('What is waited for, or what failed.', { maxLength: 1024 })),
            },
            'One server.',
          ),
          'The servers that are not simply in sync or waiting, up to a thousand.',
          { maxItems: 1000 },
        ),
      ),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'How far it has come.',
  )

export const fleetColumns = [
  { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
  { name: 'Selected', type: 'integer', jsonPath: '.status.selected' },
  { name: 'InSync', type: 'integer', jsonPath: '.status.inSync' },
  { name: 'Updating', type: 'integer', jsonPath: '.status.updating' },
  { name: 'Failed', type: 'integer', jsonPath: '.status.failed' },
] as const
