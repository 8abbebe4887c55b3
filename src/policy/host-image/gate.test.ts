import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../core/duration.ts'
import { type GateSeen, imageGate } from './gate.ts'

const seen: GateSeen = { created: 0, linked: true, override: undefined, leaving: false, settling: 0 }

describe('imageGate()', () => {
  it.each([
    [
      'ZT-016 an image of an InfraEnv is not built in its first minute',
      { override: 'u' },
      seconds(59),
      { is: 'closed', reason: 'Settling', again: seconds(1) },
    ],
    ['ZT-016 and is built after that', { override: 'u' }, seconds(60), { is: 'open', override: 'u' }],
    [
      'ZT-014 ZT-017 it waits for the annotation, however long',
      {},
      minutes(600),
      { is: 'closed', reason: 'WaitingForIgnitionOverride', again: undefined },
    ],
    ['T-65 another image is built at once', { linked: false }, 0, { is: 'open', override: undefined }],
    ['T-65 unless a setting says otherwise', { linked: false, settling: seconds(5) }, 0, { is: 'closed', again: seconds(5) }],
    ['ZT-013 the annotation of another image is used as well', { linked: false, override: 'u' }, 0, { is: 'open', override: 'u' }],
    ['T-67 a host that goes waits five minutes for the annotation', { leaving: true }, minutes(4), { is: 'closed', again: minutes(1) }],
    ['T-67 and is cleaned without it then', { leaving: true }, minutes(5), { is: 'open', override: undefined }],
  ] as const)('%s', (_, given, now, wanted) => expect(imageGate({ ...seen, ...given }, now)).toMatchObject(wanted))
})
