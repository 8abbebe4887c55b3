import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/status.ts'
import type { Reader } from '../../ports/index.ts'
import { registryCredentials } from '../compose/registry-credentials.ts'
import { registryRulesIn } from './registry-rules.ts'

describe('registryRulesIn()', () => {
  it('X-004 reads mirrors and hosts at private addresses', () => {
    const rules = {
      mirrors: { 'docker.io': ['mirror.lan:5000'] },
      listed: ['registry.lan'],
      insecure: ['registry.lan'],
      tokenServices: { 'r.io': ['auth.io'] },
    }
    expect(registryRulesIn(rules)).toEqual(rules)
    expect(registryRulesIn(undefined)).toEqual({})
  })
  for (const wrong of [
    'x',
    [],
    { allowed: ['x'] },
    { listed: 'x' },
    { listed: ['http://x/'] },
    { mirrors: ['x'] },
    { mirrors: { x: 'y' } },
  ])
    it(`refuses ${JSON.stringify(wrong)}`, () => expect(() => registryRulesIn(wrong)).toThrow('Cannot use registryRules'))
})

describe('registryCredentials()', () => {
  const reader = (secret: object | undefined): Reader => ({ find: async () => secret }) as unknown as Reader
  const encoded = Buffer.from(JSON.stringify({ auths: { 'r.io': { username: 'u', password: 'canary' } } })).toString('base64')
  it('X-004 are read from a Secret whenever a registry asks', async () => {
    const of = registryCredentials(reader({ data: { '.dockerconfigjson': encoded } }), 'ns', 'pull')
    expect(await of('r.io')).toEqual({ username: 'u', password: 'canary' })
    expect(await of('other.io')).toBeUndefined()
  })
  it('that are not there are said to be so', async () => {
    await expect(registryCredentials(reader(undefined), 'ns', 'pull')('r.io')).rejects.toMatchObject({
      code: 'image/no-credentials',
      message: expect.stringContaining('Secret ns/pull is not there'),
    })
    const away = { find: () => Promise.reject(new ApiError('Forbidden', 'no')) } as unknown as Reader
    await expect(registryCredentials(away, 'ns', 'pull')('r.io')).rejects.toMatchObject({ code: 'image/no-credentials' })
  })
})
