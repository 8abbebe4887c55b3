import { kind } from '../kind.ts'
import { defaulted, object, optional } from '../schema.ts'
import { fleetColumns, fleetFields, fleetStatus } from './firmware-rollout.ts'
import { scanPeriod } from './firmware-shapes.ts'
import { metal } from './group.ts'
import { biosWish } from './server-bios.ts'

export const serverBIOSSet = kind({
  ...metal,
  kind: 'ServerBIOSSet',
  plural: 'serverbiossets',
  shortNames: ['sbiosset'],
  scope: 'Cluster',
  description:
    'One BIOS version and one set of settings for many servers, rolled out a few at a time. A ServerBIOS that somebody made by hand for one of them wins over this.',
  fields: {
    spec: object(
      {
        ...fleetFields(),
        template: object(
          {
            spec: object(
              { scanPeriodMinutes: scanPeriod(), bios: defaulted(biosWish(), { settings: {} }) },
              'What each of its ServerBIOS objects says.',
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
    metadata: { name: 'r650' },
    spec: {
      serverSelector: { matchLabels: { model: 'r650' } },
      template: { spec: { bios: { version: '2.19.1', settings: { ProcVirtualization: 'Enabled' } } } },
    },
  },
})
