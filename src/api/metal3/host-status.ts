import { array, boolean, defaulted, int64, integer, object, oneOf, optional, type Schema, string } from '../schema.ts'
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

/** Kept as it is, whichever type it has. */
const whatever = (description: string): Schema<unknown> => ({ structural: { description, 'x-kubernetes-preserve-unknown-fields': true } })

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
      firmware: optional(whatever('Settings of old that baremetal-operator noted; nothing follows from them.')),
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
      tries: optional(int64('How often this step was asked for.', { minimum: 1 })),
      slot: optional(string('The virtual drive that holds our disc.')),
      reset: optional(string('When its machine was reset last before it was told to restart, as its management controller said.')),
      runs: optional(oneOf(['ramdisk'], 'What of ours runs on a machine that may not be switched off.')),
      stage: optional(oneOf(['boot', 'agent', 'leave'], 'How far a try with a ramdisk has come.')),
      plan: optional(array(string('A step.'), 'What the agent in the ramdisk still has to do, in order.')),
      command: optional(string('What the agent was asked for last.')),
      seen: optional(int64('How many commands it had been given before.', { minimum: 0 })),
      volumes: optional(string('Which RAID volumes this try makes; others may be wanted meanwhile.')),
      because: optional(string('Why it failed; told once the machine is left.')),
      asked: optional(array(string('A setting.'), 'BIOS settings that were asked for, and not yet seen to hold.')),
      flush: optional(oneOf(['begun', 'done'], 'Whether settings that were pending before were let run first.')),
      update: optional(
        object(
          {
            component: string('Which component.'),
            url: string('With which image.'),
            before: string('The version that it had.'),
            task: optional(string('What the management controller calls the task.')),
            percent: optional(int64('How far it was when it last came further.', { minimum: 0 })),
          },
          'The component that is being written.',
        ),
      ),
      wish: optional(string('Which wishes for its firmware a failure is about.')),
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
      lastAttempted: optional(string('The image or method that those failures are about.')),
      lastAttemptedImage: optional(
        whatever('What baremetal-operator noted of an image that it could not install; nothing follows from it.'),
      ),
      provisioning: optional(provisioning()),
      goodCredentials: optional(credentials('The credentials that worked last.')),
      triedCredentials: optional(credentials('The credentials that were tried last.')),
      bmcAddress: optional(string('The address that it was registered at; it may change only while the host registers or is detached.')),
      bootMACAddress: optional(string('The interface that it boots from, as it was first said; it cannot change.')),
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
      firmwareUpdates: optional(
        array(
          object(
            {
              component: string('Which component.'),
              url: string('With which image.'),
              version: string('The version that was read back.'),
            },
            'One component.',
          ),
          'What was written to its components last, one entry for each.',
        ),
      ),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'What became of it.',
  )
