import { afterEach, describe, expect, it } from 'vitest'
import { type BootWorld, bootWorld, type Circumstances, home, secretText, stranger, uuid } from './world.ts'

const worlds: BootWorld[] = []
const given = async (circumstances?: Circumstances): Promise<BootWorld> => {
  const world = await bootWorld(circumstances)
  worlds.push(world)
  return world
}
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.end()
})

describe('user data', () => {
  it('BP-042 I14 S10 is served to a ticket as it is in the Secret, and kept by nobody on the way', async () => {
    const world = await given()
    for (const path of [`${world.ticket()}/ignition`, world.ticket().replace('/boot/', '/ignition/')]) {
      const answer = await world.ask(path)
      expect([answer.status, answer.headers['cache-control'], answer.headers['content-type']]).toEqual([
        200,
        'no-store',
        'application/vnd.coreos.ignition+json',
      ])
      expect(JSON.parse(answer.text)).toMatchObject({ passwd: { users: [{ name: secretText }] } })
    }
    expect((await world.served())?.fetches).toEqual([expect.objectContaining({ what: 'ignition', from: home })])
  })
  it('I14 S9 CVE-2026-7163 is served to one address only', async () => {
    const world = await given()
    await world.ask(`${world.ticket()}/ignition`)
    expect((await world.ask(`${world.ticket()}/ignition`, { from: stranger })).status).toBe(403)
  })
  it('S10 by UUID alone is off, even from a known address, unless that was allowed', async () => {
    const off = await given()
    expect((await off.ask(`/ignition/${uuid}`)).status).toBe(403)
    const on = await given({ allowUserDataByWindow: true })
    expect((await on.ask(`/ignition/${uuid}`)).status).toBe(200)
    await on.note({ step: 'Ended' })
    expect((await on.ask(`/ignition/${uuid}`)).status).toBe(403)
  })
  it('I14 is not served once what is booted was changed', async () => {
    const world = await given()
    const { configurations } = await import('../../src/controllers/metal/resources.ts')
    await world.kube.patch(
      configurations,
      { name: 'c1', namespace: 'default' },
      { merge: { spec: { ignitionSecretRef: { name: 'other' } } } },
    )
    await world.clock.settle()
    expect((await world.ask(`${world.ticket()}/ignition`)).status).toBe(403)
  })
  it('is empty where a boot has none, for images that always ask', async () => {
    const world = await given({ userData: false })
    expect(JSON.parse((await world.ask(`${world.ticket()}/ignition`)).text)).toEqual({ ignition: { version: '3.4.0' } })
  })
  it('that is not there is said to be so, without a trace of what is', async () => {
    const world = await given()
    const { secrets } = await import('./world.ts')
    await world.kube.delete(secrets, { name: 'ignition', namespace: 'default' })
    const answer = await world.ask(`${world.ticket()}/ignition`)
    expect([answer.status, answer.text]).toEqual([404, 'The Secret ignition has no key "ignition".\n'])
  })
  it('in Butane is translated', async () => {
    const butane = `
variant: fcos
version: 1.5.0
passwd:
  users:
    - name: core
      ssh_authorized_keys: [ssh-ed25519 AAAA]
storage:
  files:
    - path: /etc/motd
      mode: 0644
      contents: { inline: "hello\\n" }
systemd:
  units:
    - name: probe.service
      enabled: true
      contents: |
        [Service]
        ExecStart=/usr/bin/probe
`
    const world = await given({ userData: butane })
    expect(JSON.parse((await world.ask(`${world.ticket()}/ignition`)).text)).toEqual({
      ignition: { version: '3.4.0' },
      passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['ssh-ed25519 AAAA'] }] },
      storage: { files: [{ path: '/etc/motd', mode: 420, contents: { source: 'data:;base64,aGVsbG8K' } }] },
      systemd: { units: [{ name: 'probe.service', enabled: true, contents: '[Service]\nExecStart=/usr/bin/probe\n' }] },
    })
  })
  const refused: readonly (readonly [what: string, text: string, because: string])[] = [
    ['another variant', 'variant: flatcar\nversion: 1.0.0', 'its variant is not fcos'],
    ['a version of tomorrow', 'variant: fcos\nversion: 9.9.9', 'its version of fcos is not known here'],
    [
      'a file from elsewhere',
      'variant: fcos\nversion: 1.5.0\nstorage: {files: [{path: /x, contents: {source: "http://169.254.169.254/"}}]}',
      'storage.files[0].contents.source is not supported',
    ],
    [
      'a file of this machine',
      'variant: fcos\nversion: 1.5.0\nstorage: {files: [{path: /x, contents: {local: /etc/shadow}}]}',
      'local is not supported',
    ],
    ['disks', 'variant: fcos\nversion: 1.5.0\nstorage: {disks: []}', 'storage.disks is not supported'],
    ['something else', secretText, 'it is neither Ignition nor Butane'],
  ]
  for (const [what, text, because] of refused)
    it(`in Butane with ${what} is refused by name`, async () => {
      const world = await given({ userData: text })
      const answer = await world.ask(`${world.ticket()}/ignition`)
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining(because)])
      expect(answer.text).not.toContain(secretText)
      expect(await world.served()).toBeUndefined()
    })
})
