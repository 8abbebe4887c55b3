import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../core/duration.ts'
import { printInstant } from '../../core/instant.ts'
import type { EngineMemory, HostOrder, Turn } from '../../ports/provisioner.ts'
import { firmware } from './firmware.ts'
import type { FirmwareLook } from './firmware-sight.ts'
import type { There } from './sight.ts'

const now = minutes(1_000)
const ago = (ms: number): string => printInstant(now - ms)
const url = 'https://firmware.example/BIOS-2.bin'
const update = { component: 'bios', url, before: '1' }

const look = (more: Partial<FirmwareLook> = {}): FirmwareLook => ({
  settings: { Delay: 5, Mode: 'Uefi' },
  pending: {},
  registry: undefined,
  components: [{ component: 'bios', version: '1' }],
  ways: ['update'],
  task: undefined,
  running: [],
  answer: undefined,
  evidence: {},
  ...more,
})
const machine = (power: 'On' | 'Off', more: Partial<FirmwareLook> = {}): There => ({
  is: 'there',
  power,
  uuid: undefined,
  armed: { target: 'None', raw: 'None', lasts: 'Disabled' },
  slots: undefined,
  hasMedia: true,
  takesUri: true,
  keeps: true,
  order: undefined,
  inventory: undefined,
  jobs: more.running?.length ?? 0,
  firmware: look(more),
})
const noted = (step: string, since: number, more: Partial<EngineMemory> = {}): EngineMemory => ({
  work: 'service',
  attempt: 1,
  step,
  since: ago(since),
  ...more,
})
const wish = (order: HostOrder['firmware'], sight: There, memory?: EngineMemory): Turn | undefined =>
  firmware(sight, { off: 'soft', neverOff: false, ...(order ? { firmware: order } : {}) } as HostOrder, { work: 'service', memory, now })
const settings = { settings: { Delay: 10 }, updates: [] }
const writes = { settings: {}, updates: [{ component: 'bios', url }] }

describe('the settings of a host', () => {
  it.each<[string, Turn | undefined, object | undefined]>([
    [
      'are asked for in the types that the machine has',
      wish({ settings: { Delay: '10' }, updates: [] }, machine('Off')),
      { does: { do: 'setBios', settings: '{"Delay":10}' }, memory: { asked: ['Delay'] } },
    ],
    ['that hold are left alone', wish({ settings: { Delay: '5' }, updates: [] }, machine('Off')), undefined],
    [
      'that it does not have are refused',
      wish({ settings: { delay: 10 }, updates: [] }, machine('Off')),
      { is: 'failed', retryable: false },
    ],
    [
      'I25 that are pending are not set: a start brings them',
      wish(settings, machine('Off', { pending: { Delay: 10 } }), noted('setBios', seconds(10), { asked: ['Delay'] })),
      { does: { do: 'switchOn' }, memory: { asked: ['Delay'] } },
    ],
    [
      'are read back only after the self test',
      wish(
        settings,
        machine('On', { settings: { Delay: 10 }, evidence: { inPost: true } }),
        noted('switchOn', minutes(1), { asked: ['Delay'] }),
      ),
      { is: 'progress', because: 'it goes through its self test' },
    ],
    [
      'that hold afterwards are not noted any more',
      wish(
        settings,
        machine('On', { settings: { Delay: 10 }, evidence: { inPost: false } }),
        noted('switchOn', minutes(2), { asked: ['Delay'] }),
      ),
      { memory: { step: 'set' } },
    ],
    [
      'that do not hold five minutes later are a failure',
      wish(
        settings,
        machine('On', { pending: { Delay: 10 }, evidence: { inPost: false } }),
        noted('switchOn', minutes(6), { asked: ['Delay'] }),
      ),
      { is: 'failed', because: expect.stringContaining('Delay 5 instead of 10') },
    ],
    [
      'that nobody wants any more are taken back, and those of others are not',
      wish(undefined, machine('Off', { pending: { Delay: 10, Mode: 'Bios' } }), noted('setBios', seconds(10), { asked: ['Delay'] })),
      { does: { do: 'unsetBios', settings: '{"Delay":5}' } },
    ],
    [
      'that are refused for what others left pending wait for a start of its own',
      wish(
        settings,
        machine('Off', { pending: { Mode: 'Bios' }, answer: { refused: 'busy' } }),
        noted('setBios', seconds(10), { asked: ['Delay'] }),
      ),
      { does: { do: 'switchOn' }, memory: { flush: 'begun' } },
    ],
    [
      'get such a start once in a try',
      wish(
        settings,
        machine('Off', { pending: { Mode: 'Bios' }, answer: { refused: 'busy' } }),
        noted('setBios', seconds(10), { asked: ['Delay'], flush: 'done' }),
      ),
      { is: 'progress', because: expect.stringContaining('takes its settings') },
    ],
  ])('%s', (_, turn, expected) => (expected ? expect(turn).toMatchObject(expected) : expect(turn).toBeUndefined()))
})

describe('a component of a host', () => {
  const busy = { running: ['/task/1'], task: { state: 'Running' as const, percent: 99 } }
  it.each<[string, Turn | undefined, object]>([
    ['is written with its version of before noted', wish(writes, machine('Off')), { does: { do: 'update', url }, memory: { update } }],
    ['I9 is waited for while a task of somebody else is under way', wish(writes, machine('Off', { running: ['/task/7'] })), { is: 'busy' }],
    [
      'is given a minute and a half to show its task',
      wish(writes, machine('Off'), noted('update', seconds(60), { update })),
      { is: 'progress', because: expect.stringContaining('not to be seen') },
    ],
    [
      'notes the task that it finds',
      wish(writes, machine('Off', busy), noted('update', seconds(60), { update })),
      { memory: { update: { ...update, task: '/task/1', percent: 99 } } },
    ],
    [
      'is stuck after twenty minutes at the same point',
      wish(writes, machine('Off', busy), noted('update', minutes(20), { update: { ...update, task: '/task/1', percent: 99 } })),
      { is: 'failed', because: expect.stringContaining('it is stuck') },
    ],
    [
      'I28 that was given up too early and has ended since is read back, and not written anew',
      wish(
        writes,
        machine('Off', { components: [{ component: 'bios', version: '2' }] }),
        noted('given up', minutes(1), { work: 'none', update }),
      ),
      { wrote: { component: 'bios', url, version: '2' } },
    ],
    [
      'I10 is not written by a task that says so',
      wish(
        writes,
        machine('Off', { task: { state: 'Succeeded' } }),
        noted('update', minutes(3), { update: { ...update, task: '/task/1' } }),
      ),
      { memory: { step: 'readBack' } },
    ],
    [
      'I10 is waited for a quarter of an hour where its task is gone',
      wish(writes, machine('Off', { task: { state: 'Gone' } }), noted('update', minutes(14), { update: { ...update, task: '/task/1' } })),
      { is: 'progress', because: expect.stringContaining('not to be seen') },
    ],
    [
      'I10 is written when another version is read',
      wish(writes, machine('Off', { components: [{ component: 'bios', version: '2' }] }), noted('readBack', minutes(1), { update })),
      { wrote: { component: 'bios', url, version: '2' } },
    ],
    [
      'that still has its old version gets a start',
      wish(writes, machine('Off'), noted('readBack', minutes(4), { update })),
      { does: { do: 'switchOn' }, memory: { update } },
    ],
    [
      'and fails where that brings nothing',
      wish(writes, machine('On', { evidence: { inPost: false } }), noted('switchOn', minutes(7), { update })),
      { is: 'failed', because: expect.stringContaining('as before (1)') },
    ],
    [
      'that is refused fails with the reason',
      wish(writes, machine('Off', { answer: { refused: 'no such image' } }), noted('update', seconds(20), { update })),
      { is: 'failed', because: 'bios is not taken: no such image' },
    ],
    [
      'is followed to its end also when nobody wants it any more',
      wish(undefined, machine('Off', busy), noted('update', minutes(1), { update: { ...update, task: '/task/1', percent: 99 } })),
      { is: 'progress', because: 'bios is being written: 99 %' },
    ],
  ])('%s', (_, turn, expected) => expect(turn).toMatchObject(expected))
})
