import { expect, it } from 'vitest'
import { firstAtOnce } from '../../src/policy/firmware/scan-due.ts'
import { scansOf } from './scans.ts'

it('T-37 T-39 FW-038 200 objects of one moment are scanned in their turns from the first scan on, once per period, and nothing more is written', async () => {
  const { perMinute, writes, last, longest } = await scansOf(200, 10, 3)
  const mean = 200 / 10
  expect(last).toBe(200)
  // As many as may begin at once do not wait for a turn.
  expect(perMinute[0], perMinute.join()).toBeLessThanOrEqual(2 * mean + firstAtOnce)
  expect(Math.max(...perMinute.slice(1)), perMinute.join()).toBeLessThanOrEqual(2 * mean)
  expect(longest).toBeLessThanOrEqual(10)
  const began = writes['POST jobs']
  expect(began).toBe(200)
  const written = Object.entries(writes).filter(([line]) => !line.startsWith('DELETE'))
  // A Job that is under way at either end of the period is counted there.
  for (const [line, count] of written) expect(Math.abs(count - 200), line).toBeLessThanOrEqual(5)
  expect(written.map(([line]) => line).toSorted()).toEqual([
    'PATCH jobs/status active completionTime conditions ready succeeded',
    'PATCH jobs/status active ready startTime',
    'PATCH serverbioses/status bios lastJob lastScanTime runningJob',
    'PATCH serverbioses/status jobs observedGeneration runningJob',
    'POST jobs',
  ])
})
