import { boolean, defaulted, int64, integer, object, oneOf, optional, string } from '../schema.ts'
import { conditions, observedGeneration, time } from '../shapes.ts'
import { hardwareDetails } from './hardware-details.ts'
import { customDeploy, hostImage } from './host-image.ts'
import { raid } from './raid.ts'
import { rootDeviceHints } from './root-device-hints.ts'

export const hostStates = [
  '',
  'unmanaged',
  'registering',
  'match profile',
  'preparing',
  'ready',
  'available',
  'provisioning',
  'provisioned',
  'externally provisioned',
  'deprovisioning',
  'inspecting',
  'powering off before delete',
  'deleting',
] as const

export const hostErrors = [
  'provisioned registration error',
  'registration error',
  'inspection error',
  'preparation error',
  'provisioning error',
  'power management error',
  'servicing error',
  'detach error',
] as const

const credentials = (description: string) =>
  object(
    {
      credentials: optional(
        object({ name: optional(string('Its name.')), namespace: optional(string('Its namespace.')) }, 'The Secret.', {
          'x-kubernetes-map-type': 'atomic',
        }),
      ),
      credentialsVersion: optional(string('The revision of the Secret.')),
    },
    description,
  )

const span = (what: string) =>
  optional(
    object(
      {
        start: optional(string('When it began.', { format: 'date-time', nullable: true })),
        end: optional(string('When it ended.', { format: 'date-time', nullable: true })),
      },
      what,
    ),
  )

const provisioning = () =>
  object(
    {
      state: defaulted(oneOf(hostStates, 'Where the host stands.'), ''),
      ID: defaulted(string('What the engine calls the host.'), ''),
      image: optional(hostImage('What is installed.')),
      customDeploy: optional(customDeploy('How it was installed.')),
      rootDeviceHints: optional(rootDeviceHints('The disk that it was installed to.')),
      bootMode: optional(oneOf(['UEFI', 'UEFISecureBoot', 'legacy'], 'How it boots.')),
      raid: optional(raid('The volumes that were made.')),
    },
    'What was done to it.',
  )

/** The direct engine's own memory: noted before each step. */
const engine = () =>
  object(
    {
      work: string('What is being done.'),
      attempt: int64('Which try this is; counted over the life of the host.', { minimum: 0 }),
      step: string('Which step was begun last.'),
      since: time('When it was begun.'),
      slot: optional(string('The virtual drive that holds our disc.')),
    },
    'How far the present work has come.',
  )

export const hostStatus = () =>
  object(
    {
      operationalStatus: defaulted(oneOf(['', 'OK', 'discovered', 'error', 'delayed', 'detached', 'servicing'], 'How it is.'), ''),
      errorType: optional(oneOf(hostErrors, 'What went wrong.')),
      errorMessage: defaulted(string('What went wrong, in words.'), ''),
      errorCount: defaulted(integer('How often in a row.'), 0),
      provisioningFailCount: optional(integer('How often installing this image failed.')),
      lastAttemptedImage: optional(string('The image that those failures are about.')),
      provisioning: optional(provisioning()),
      goodCredentials: optional(credentials('The credentials that worked last.')),
      triedCredentials: optional(credentials('The credentials that were tried last.')),
      systemUUID: optional(string('The machine that was registered, by its UUID; another one behind the same address is never touched.')),
      poweredOn: defaulted(boolean('Whether it is on.'), false),
      hardware: optional(hardwareDetails('A copy of what HardwareData says.')),
      hardwareProfile: optional(string('A profile of old; nothing follows from it.')),
      lastUpdated: optional(time('When this status was last changed.')),
      operationHistory: optional(
        object(
          {
            register: span('Its registration.'),
            inspect: span('Its inspection.'),
            provision: span('Its installation.'),
            deprovision: span('Its being given back.'),
          },
          'When what was done last.',
        ),
      ),
      engine: optional(engine()),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'What became of it.',
  )
