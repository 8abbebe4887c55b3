import { describe, expect, it } from 'vitest'
import { renewedStub } from './managed-stub.ts'

const stub = (...certificates: readonly string[]): string =>
  JSON.stringify({
    ignition: {
      version: '3.2.0',
      config: { merge: [{ source: 'https://api:22623/config/worker' }] },
      security: { tls: { certificateAuthorities: certificates.map(source => ({ source })) } },
    },
  })
const custom = JSON.stringify({ ignition: { version: '3.2.0' }, storage: { files: [{ path: '/etc/motd' }] } })
const nothing = { authority: undefined, custom: undefined }

describe('renewedStub()', () => {
  it('BI-014 the certificate that is believed is replaced, once', () => {
    const next = renewedStub(stub('data:,old'), { ...nothing, authority: 'PEM' })!
    expect(JSON.parse(next).ignition.security.tls.certificateAuthorities).toEqual([{ source: 'data:text/plain;charset=utf-8;base64,UEVN' }])
    expect(renewedStub(next, { ...nothing, authority: 'PEM' })).toBeUndefined()
  })
  it('several certificates, or none, are left as they are', () => {
    for (const given of [stub(), stub('data:,a', 'data:,b')]) expect(renewedStub(given, { ...nothing, authority: 'PEM' })).toBeUndefined()
  })
  it('BI-013 T-55 a user’s own config is merged beside what is there, replaced when it changes, and removed with it', () => {
    const first = renewedStub(stub(), { ...nothing, custom })!
    expect(JSON.parse(first).ignition.config.merge).toEqual([
      { source: 'https://api:22623/config/worker' },
      { source: expect.stringMatching(/^data:application\/vnd\.rackwright\.custom\+json;base64,/) },
    ])
    expect(renewedStub(first, { ...nothing, custom })).toBeUndefined()
    const second = renewedStub(first, { ...nothing, custom: custom.replace('motd', 'issue') })!
    expect(JSON.parse(second).ignition.config.merge).toHaveLength(2)
    expect(JSON.parse(renewedStub(second, nothing)!).ignition.config.merge).toHaveLength(1)
  })
  it('what is no Ignition 3 is neither merged nor renewed', () => {
    expect(renewedStub(stub(), { ...nothing, custom: '#!/bin/sh' })).toBeUndefined()
    expect(renewedStub(stub(), { ...nothing, custom: '{"ignition":{"version":"2.2.0"}}' })).toBeUndefined()
    for (const given of ['nonsense', '{"ignition":{"version":"2.2.0"}}', '[]'])
      expect(renewedStub(given, { authority: 'PEM', custom })).toBeUndefined()
  })
})
