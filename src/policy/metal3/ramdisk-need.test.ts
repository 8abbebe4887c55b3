import { expect, it } from 'vitest'
import { ramdiskNeed } from './ramdisk-need.ts'

const plain = { inspection: 'agent', cleaning: 'metadata', liveIso: false, prepares: false } as const

it.each([
  ['inspecting', {}, 'required'],
  ['inspecting', { inspection: 'fast' }, 'kept'],
  ['preparing', {}, 'kept'],
  ['preparing', { prepares: true }, 'required'],
  ['available', {}, 'kept'],
  ['provisioning', {}, 'required'],
  ['provisioning', { liveIso: true }, 'kept'],
  ['deprovisioning', {}, 'required'],
  ['deprovisioning', { cleaning: 'disabled' }, 'kept'],
  ['provisioned', {}, 'none'],
  ['externally provisioned', {}, 'none'],
  ['powering off before delete', {}, 'none'],
  ['deleting', {}, 'none'],
] as const)('ramdiskNeed() of a host that is %s %j is %s', (phase, more, need) =>
  expect(ramdiskNeed({ ...plain, ...more, phase })).toBe(need),
)
