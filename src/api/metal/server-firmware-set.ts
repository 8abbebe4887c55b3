import { kind } from '../kind.ts'
import { defaulted, object, optional } from '../schema.ts'
import { fleetColumns, fleetFields, fleetStatus } from './firmware-rollout.ts'
import { scanPeriod } from './firmware-shapes.ts'
import { metal } from './group.ts'
import { firmwareWish } from './server-firmware.ts'

export const serverFirmwareSet = kind({
  ...metal,
  kind: 'ServerFirmwareSet',
  plural: 'serverfirmwaresets',
  shortNames: ['sfwset'],
  scope: 'Cluster',
  description:
    'The firmware of components of many servers, rolled out a few at a time. A ServerFirmware that somebody made by hand for one of them wins over this.',
  fields: {
    spec: object(
      {
        ...fleetFields(),
        template: object(
          {
            spec: object(
              { scanPeriodMinutes: scanPeriod(), firmwares: defaulted(firmwareWish(), []) },
              'What each of its ServerFirmware objects says.',
            ),
          },
          'What is wanted of each server.',
        ),
      },
      'What is wanted.',
    ),
    status: optional(fleetStatus()),
  },
  columns: fleetColumns,
  example: {
    metadata: { name: 'nics' },
    spec: {
      serverSelector: { matchLabels: { model: 'r650' } },
      template: { spec: { firmwares: [{ name: 'nic', manufacturer: 'Intel', version: '2.0.0' }] } },
    },
  },
})
