import { expect, it } from 'vitest'
import { firmwareFigures } from './figures.ts'
import type { ServerBIOS, ServerFirmware } from './resources.ts'

const object = (kind: string, name: string, status?: object) =>
  ({ kind, metadata: { name }, spec: { serverRef: { name: `${name}-system-0` } }, status }) as unknown as ServerBIOS | ServerFirmware
const sync = (status: string, reason: string) => ({ conditions: [{ type: 'InSync', status, reason, message: '', lastTransitionTime: '' }] })
const trouble = (program: string, failures: number) => ({ program, failures, generation: 1, job: 'j', message: 'no' })

it('drift is told of every object, with its reason, and failures in a row of updates and of scans', () => {
  expect(
    firmwareFigures([
      object('ServerBIOS', 'c'),
      object('ServerBIOS', 'a', sync('True', 'AsWanted')),
      object('ServerFirmware', 'b', {
        ...sync('False', 'GaveUp'),
        trouble: trouble('firmware-update', 5),
        scanTrouble: trouble('firmware-scan', 2),
      }),
    ]),
  ).toBe(
    [
      'rackwright_firmware_drift{kind="ServerBIOS",name="a",server="a-system-0",reason="AsWanted"} 0',
      'rackwright_firmware_drift{kind="ServerBIOS",name="c",server="c-system-0",reason="NotScanned"} 1',
      'rackwright_firmware_drift{kind="ServerFirmware",name="b",server="b-system-0",reason="GaveUp"} 1',
      'rackwright_firmware_job_failures{kind="ServerFirmware",name="b",server="b-system-0",program="firmware-scan"} 2',
      'rackwright_firmware_job_failures{kind="ServerFirmware",name="b",server="b-system-0",program="firmware-update"} 5',
      '',
    ].join('\n'),
  )
  expect(firmwareFigures([])).toBe('')
})
