import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../core/json.ts'
import { mergeIgnition } from './merge-ignition.ts'

const ours: JsonObject = {
  ignition: { version: '3.2.0' },
  storage: { files: [{ path: '/etc/agent.conf', mode: 420 }] },
  systemd: { units: [{ name: 'ironic-agent.service', enabled: true }] },
  passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['a'] }] },
}
const with_ = (more: JsonObject, version = '3.1.0') => mergeIgnition(ours, { ignition: { version }, ...more })

describe('mergeIgnition()', () => {
  it('ZT-012 puts files, units and users side by side, and takes the newer version', () => {
    expect(
      with_(
        {
          storage: { files: [{ path: '/x' }], links: [{ path: '/l' }] },
          systemd: { units: [{ name: 'agent.service' }] },
          kernelArguments: { shouldExist: ['a'] },
        },
        '3.4.0',
      ),
    ).toEqual({
      conflicts: [],
      ignition: {
        ignition: { version: '3.4.0' },
        storage: { files: [{ path: '/etc/agent.conf', mode: 420 }, { path: '/x' }], links: [{ path: '/l' }] },
        systemd: { units: [{ name: 'ironic-agent.service', enabled: true }, { name: 'agent.service' }] },
        passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['a'] }] },
        kernelArguments: { shouldExist: ['a'] },
      },
    })
    expect(with_({})).toEqual({ ignition: ours, conflicts: [] })
    expect(mergeIgnition(ours, { ignition: { version: '3.1.0', config: { merge: [] } } })).toMatchObject({ conflicts: [] })
  })
  it.each([
    { what: 'a file', more: { storage: { files: [{ path: '/etc/agent.conf', mode: 0 }] } }, named: 'storage.files /etc/agent.conf' },
    {
      what: 'a link where ours is a file',
      more: { storage: { links: [{ path: '/etc/agent.conf', target: '/x' }] } },
      named: 'storage.links /etc/agent.conf',
    },
    {
      what: 'a unit',
      more: { systemd: { units: [{ name: 'ironic-agent.service', mask: true }] } },
      named: 'systemd.units ironic-agent.service',
    },
    {
      what: 'a drop-in of our unit',
      more: { systemd: { units: [{ name: 'ironic-agent.service', dropins: [{ name: 'x' }] }] } },
      named: 'systemd.units ironic-agent.service',
    },
  ])('T-68 takes ours instead of $what, and names it', ({ more, named }) => {
    const merged = with_(more)
    expect(merged).toMatchObject({ conflicts: [named] })
    expect((merged as { ignition: JsonObject }).ignition).toMatchObject(ours)
  })
  it('T-68 the same said twice is no conflict, and keys of a user are joined', () => {
    expect(
      with_({
        storage: { files: [{ path: '/etc/agent.conf', mode: 420 }] },
        passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['a', 'b'], uid: 7 }] },
      }),
    ).toMatchObject({
      conflicts: [],
      ignition: {
        storage: { files: [{ path: '/etc/agent.conf' }] },
        passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['a', 'b'], uid: 7 }] },
      },
    })
  })
  it.each([
    [{ hello: 1 }, 'ignition.version is not there'],
    ['text', 'ignition.version is not there'],
    [{ ignition: { version: '2.2.0' } }, 'it is Ignition 2.2.0'],
    [{ ignition: { version: '4.0.0' } }, 'it is Ignition 4.0.0'],
    [{ ignition: { version: '<script>' } }, 'of a version that is none'],
    [{ ignition: { version: '3.0.0', config: { replace: {} } } }, 'ignition.config.replace'],
    [{ ignition: { version: '3.0.0', config: { merge: [{ source: 'https://elsewhere/x.ign' }] } } }, 'ignition.config.merge would win'],
  ])('T-68 refuses %j', (theirs, words) => {
    const merged = mergeIgnition(ours, theirs as never)
    expect('refused' in merged ? merged.refused : '').toContain(words)
  })
})
