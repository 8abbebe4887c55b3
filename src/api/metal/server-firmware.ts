import { kind } from '../kind.ts'
import { defaulted, immutable, integer, listMap, object, optional, string } from '../schema.ts'
import { conditions, objectRef, observedGeneration, time } from '../shapes.ts'
import { lastJob, runningJob, scanPeriod, trouble } from './firmware-shapes.ts'
import { metal } from './group.ts'

const firmware = () =>
  object(
    {
      name: string('The component, as its BMC names it (ssd also means “SSD 0”, “Disk.Bay.0 SSD”).', { minLength: 1, maxLength: 256 }),
      manufacturer: string('Who made it.', { minLength: 1, maxLength: 256 }),
      version: string('Its version.', { minLength: 1, maxLength: 256 }),
    },
    'One component.',
  )

/** Also what a ServerFirmwareSet writes into its objects. */
export const firmwareWish = () =>
  listMap(['name', 'manufacturer'], firmware(), 'The firmware that is wanted; what is not listed is left as it is.', { maxItems: 128 })

export const serverFirmware = kind({
  ...metal,
  kind: 'ServerFirmware',
  plural: 'serverfirmwares',
  shortNames: ['sfw'],
  scope: 'Cluster',
  description:
    'The firmware of one server’s components: what is wanted, and what a job found on the machine. Jobs bring the one to the other while the server is Available.',
  fields: {
    spec: object(
      {
        scanPeriodMinutes: scanPeriod(),
        serverRef: immutable(objectRef('The Server.'), 'serverRef'),
        firmwares: defaulted(firmwareWish(), []),
      },
      'What is wanted.',
    ),
    status: optional(
      object(
        {
          lastScanTime: optional(time('When the server was last asked.')),
          firmwares: optional(listMap(['name', 'manufacturer'], firmware(), 'What is installed, listed or not.', { maxItems: 512 })),
          runningJob: optional(runningJob()),
          lastJob: optional(lastJob()),
          jobs: optional(integer('How many Jobs were started for it; part of their names.')),
          trouble: optional(trouble('The update that does not work.')),
          scanTrouble: optional(trouble('The scan that does not work.')),
          observedGeneration: optional(observedGeneration()),
          conditions: optional(conditions()),
        },
        'What is known.',
      ),
    ),
  },
  columns: [
    { name: 'Server', type: 'string', jsonPath: '.spec.serverRef.name' },
    { name: 'InSync', type: 'string', jsonPath: '.status.conditions[?(@.type=="InSync")].status' },
    { name: 'Job', type: 'string', jsonPath: '.status.runningJob.name', priority: 1 },
    { name: 'LastScan', type: 'date', jsonPath: '.status.lastScanTime' },
  ],
  example: {
    metadata: { name: 'my-server' },
    spec: {
      scanPeriodMinutes: '30m',
      serverRef: { name: 'my-server' },
      firmwares: [{ name: 'nic', manufacturer: 'Intel', version: '2.0.0' }],
    },
  },
})
