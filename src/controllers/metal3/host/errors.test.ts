import { describe, expect, it } from 'vitest'
import { minutes } from '../../../core/duration.ts'
import type { Work } from '../../../ports/provisioner.ts'
import { restOf } from './errors.ts'
import type { SeenHost } from './seen.ts'

const failed = (type: string, wish?: string): SeenHost =>
  ({
    error: { type, message: 'it was refused', count: 3, restsFor: 0 },
    edited: false,
    triedCredentials: '7',
    memory: wish === undefined ? undefined : { work: 'none', attempt: 1, step: 'given up', since: '2026-01-01T00:00:00Z', wish },
  }) as Partial<SeenHost> as SeenHost
const credentials = { is: 'there', name: 'bmc', version: '7' } as const

describe('how long a host rests after a failure', () => {
  it.each<[string, SeenHost, Work, string, boolean]>([
    ['the same wish for its firmware rests', failed('preparation error', 'a'), 'prepare', 'a', true],
    ['another wish for its firmware is tried at once', failed('preparation error', 'a'), 'prepare', 'b', false],
    ['another wish at a restart, too', failed('servicing error', 'a'), 'service', 'b', false],
    [
      'I19 a login that was refused rests, whatever is wanted of its firmware meanwhile',
      failed('registration error', 'a'),
      'register',
      'b',
      true,
    ],
    ['and so does a switch', failed('power management error', 'a'), 'powerOn', 'b', true],
    ['what failed at a restart keeps nothing else from being tried', failed('servicing error', 'a'), 'powerOn', 'a', false],
  ])('%s', (_, host, work, wish, rests) => expect(restOf(host, credentials, work, wish) >= minutes(1)).toBe(rests))
})
