import { kind } from '../kind.ts'
import { defaulted, immutable, integer, map, object, optional, string } from '../schema.ts'
import { conditions, objectRef, observedGeneration, time } from '../shapes.ts'
import { lastJob, runningJob, scanPeriod, settingValue, trouble } from './firmware-shapes.ts'
import { metal } from './group.ts'

const settings = (description: string) =>
  map(settingValue('Its value: a text, a whole number or a truth value.'), description, { maxProperties: 512 })

/** Also what a ServerBIOSSet writes into its objects. */
export const biosWish = () =>
  object(
    {
      version: optional(string('The BIOS version that shall run; any, where missing.', { minLength: 1, maxLength: 256 })),
      settings: defaulted(settings('Settings by the names that the machine’s attribute registry gives them.'), {}),
    },
    'The BIOS that is wanted.',
  )

const status = () =>
  object(
    {
      lastScanTime: optional(time('When the server was last asked.')),
      bios: optional(
        object(
          {
            version: optional(string('The version that runs.')),
            settings: optional(settings('The settings as they are: only those that the spec names.')),
          },
          'What was found on the machine.',
        ),
      ),
      runningJob: optional(runningJob()),
      lastJob: optional(lastJob()),
      jobs: optional(integer('How many Jobs were started for it; part of their names.')),
      trouble: optional(trouble('The update that does not work.')),
      scanTrouble: optional(trouble('The scan that does not work.')),
      observedGeneration: optional(observedGeneration()),
      conditions: optional(conditions()),
    },
    'What is known.',
  )

export const serverBIOS = kind({
  ...metal,
  kind: 'ServerBIOS',
  plural: 'serverbioses',
  shortNames: ['sbios'],
  scope: 'Cluster',
  description:
    'The BIOS version and settings of one server: what is wanted, and what a job found on the machine. Jobs bring the one to the other while the server is Available.',
  fields: {
    spec: object(
      {
        scanPeriodMinutes: scanPeriod(),
        serverRef: immutable(objectRef('The Server.'), 'serverRef'),
        bios: defaulted(biosWish(), { settings: {} }),
      },
      'What is wanted.',
    ),
    status: optional(status()),
  },
  columns: [
    { name: 'Server', type: 'string', jsonPath: '.spec.serverRef.name' },
    { name: 'Wanted', type: 'string', jsonPath: '.spec.bios.version' },
    { name: 'Version', type: 'string', jsonPath: '.status.bios.version' },
    { name: 'InSync', type: 'string', jsonPath: '.status.conditions[?(@.type=="InSync")].status' },
    { name: 'Job', type: 'string', jsonPath: '.status.runningJob.name', priority: 1 },
    { name: 'LastScan', type: 'date', jsonPath: '.status.lastScanTime' },
  ],
  example: {
    metadata: { name: 'my-server' },
    spec: {
      scanPeriodMinutes: 30,
      serverRef: { name: 'my-server' },
      bios: { version: '2.19.1', settings: { ProcVirtualization: 'Enabled' } },
    },
  },
})
