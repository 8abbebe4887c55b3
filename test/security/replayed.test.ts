import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { bmcAccess } from '../../src/cli/compose/bmc-access.ts'
import { type BMC, bmcs, claims, configurations, maintenances, servers } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import type { NewObject, ResourceRef } from '../../src/ports/index.ts'
import { bootWorld, mac, secretText, stranger, uuid } from '../boot/world.ts'
import { canary } from '../metal/canaries.ts'
import { secrets, system } from '../metal/rack.ts'
import { story, type Words } from '../metal/story.ts'
import { testWorld } from '../runtime/world.ts'

const apiVersion = 'metal.ironcore.dev/v1alpha1'
const source = join(import.meta.dirname, '../../src')
const configMaps: ResourceRef = { group: '', version: 'v1', plural: 'configmaps', namespaced: true }
const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const claimed = async ({ when, then }: Words): Promise<void> => {
  await when.claims('c1', { ignitionSecretRef: { name: 'my-ignition-secret' } })
  await then.server('srv-1', minutes(30), { boot: { step: 'Ended', outcome: 'Installed' } as never })
}
const configuration = (namespace: string, name: string, spec: object) => ({
  apiVersion,
  kind: 'ServerBootConfiguration',
  metadata: { namespace, name },
  spec: { serverRef: { name: 'srv-1-system-0' }, ...spec },
})

describe('attacks on others, tried on us', () => {
  it('CVE-2023-30841 whoever may read every object but Secrets learns no password, also not from a ConfigMap', () =>
    story(async words => {
      await claimed(words)
      const { kube } = words.world
      const open = kinds
        .filter(({ kind }) => kind !== 'BMCSecret')
        .map(({ group, version, plural, scope }) => ({ group, version, plural, namespaced: scope === 'Namespaced' }))
      const read = await Promise.all([...open, configMaps].map(async of => (await kube.list(of as ResourceRef)).items))
      const text = JSON.stringify(read)
      expect(text.length).toBeGreaterThan(5_000)
      for (const secret of ['bmc', 'ignition']) expect(text).not.toContain(canary(secret))
    }))

  it('CVE-2024-43803 CVE-2025-29781 S2 a BMC that names a Secret elsewhere gets none of it, whatever it says about its namespace', async () => {
    const world = await testWorld(kinds)
    const { kube } = world
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bank' } })
    const stringData = { username: 'root', password: canary('bank') }
    await kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'loot', namespace: 'bank' }, stringData })
    const made = await kube.create(bmcs, {
      apiVersion,
      kind: 'BMC',
      metadata: { name: 'evil' },
      spec: {
        access: { ip: '10.9.9.9' },
        protocol: { name: 'Redfish', port: 443 },
        bmcSecretRef: { name: 'loot', kind: 'Secret', namespace: 'bank' },
        tls: { caSecretRef: { name: 'loot', namespace: 'bank' } },
      },
    } as unknown as NewObject<BMC>)
    expect(JSON.stringify(made.spec)).not.toContain('bank')
    const access = bmcAccess({ kube, read: () => made, namespace: system })
    await expect(access('evil')).rejects.toThrow(`Secret ${system}/loot is not there`)
    const { tls: _, ...spec } = made.spec
    const trusting = bmcAccess({ kube, read: () => ({ ...made, spec }), namespace: system })
    await expect((await trusting('evil')).credentials()).rejects.toThrow(`Secret ${system}/loot is not there`)
    await world.close()
  })

  it('CVE-2024-43803 S2 a claim’s user data come from its own namespace, whatever its reference says', () =>
    story(async ({ world, when, then }) => {
      await world.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bank' } })
      const stringData = { ignition: `{"ignition":{"version":"3.4.0"},"x":"${canary('bank')}"}` }
      await world.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'loot', namespace: 'bank' }, stringData })
      await when.claims('c1', { ignitionSecretRef: { name: 'loot', namespace: 'bank' } })
      await then.server('srv-1', minutes(10), { boot: { step: 'Running' } as never })
      await when.passes(minutes(20))
      const { status } = await world.kube.get(configurations, { name: 'c1', namespace: 'default' })
      expect(JSON.stringify(await world.kube.get(claims, { name: 'c1', namespace: 'default' }))).not.toContain('bank')
      expect(status?.served?.fetches?.some(({ what, done }) => what === 'ignition' && done !== undefined)).not.toBe(true)
    }))

  it('CVE-2024-44082 CVE-2026-43003 CVE-2026-42510 nothing of an image, a BMC or a user reaches another program: none is started', () => {
    const starts = globSync('**/*.ts', { cwd: source }).filter(
      file => !file.endsWith('.test.ts') && readFileSync(join(source, file), 'utf8').includes("'node:child_process'"),
    )
    // Our own program again for a job; what a kubeconfig of the person who starts us names; nmstatectl, which reads a host's network data from its input.
    expect(starts.toSorted()).toEqual(['boot/host-images/nmstate.ts', 'jobs/forks.ts', 'kube/kubeconfig/exec-plugin.ts'])
    for (const file of starts) expect(readFileSync(join(source, file), 'utf8')).not.toMatch(/shell:\s*true|\bexec\(/)
  })

  it('CVE-2025-44021 CVE-2026-44917 no path, scheme or address of our own is read as an image: by a claim, a maintenance or a configuration', () =>
    story(async words => {
      const { world, when, boots } = words
      const before = boots('srv-1').length
      const images = [
        'file:///etc/shadow',
        'oci:/etc',
        '../../etc/passwd',
        'http://169.254.169.254/latest',
        'images.local/../../etc/passwd:1',
      ]
      for (const [n, image] of images.entries()) {
        const key = (name: string) => ({ name: `${name}${n}`, namespace: 'default' })
        await when.claims(`c${n}`, { image })
        const serverBootConfigurationTemplate = { spec: { image, bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } } }
        const spec = { serverRef: { name: 'srv-1-system-0' }, policy: 'Enforced', serverBootConfigurationTemplate }
        await world.kube.create(maintenances, { apiVersion, kind: 'ServerMaintenance', metadata: key('m'), spec } as never)
        await world.kube.create(configurations, configuration('default', `s${n}`, { image }) as never)
        await when.passes(minutes(2))
        const said = [
          await world.kube.get(claims, key('c')),
          await world.kube.get(maintenances, key('m')),
          await world.kube.get(configurations, key('s')),
        ]
        for (const { kind, status } of said)
          expect(status?.conditions, `${kind} ${image}`).toContainEqual(expect.objectContaining({ type: 'ImageValid', status: 'False' }))
        await world.kube.delete(maintenances, key('m'))
      }
      expect((await world.kube.get(servers, { name: 'srv-1-system-0' })).spec).not.toHaveProperty('serverMaintenanceRef')
      expect(boots('srv-1')).toHaveLength(before)
    }))

  it('CVE-2026-54422 what a machine is given to boot holds no credentials but its own', async () => {
    const world = await bootWorld({ method: 'Pxe' })
    const stringData = { '.dockerconfigjson': `{"auths":{"r.io":{"auth":"${canary('registry')}"}}}` }
    await world.kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pull', namespace: 'default' }, stringData })
    const paths = [
      `/ipxe/${uuid}`,
      `/ipxe?uuid=${uuid}&mac=${mac}`,
      ...['ignition', 'kernel', 'initramfs', 'squashfs'].map(one => `${world.ticket()}/${one}`),
    ]
    const given = await Promise.all(paths.map(async path => (await world.ask(path)).text))
    expect(given.join('')).toContain(secretText)
    expect(given.join('')).not.toContain(canary('registry'))
    await world.end()
  })

  it('CVE-2026-44918 S4 what somebody makes for another’s server, in whatever namespace and with whatever owner, is not booted there', () =>
    story(async words => {
      const { world, when, then, server, boots } = words
      await claimed(words)
      await world.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'evil' } })
      const victim = await world.kube.get(claims, { name: 'c1', namespace: 'default' })
      const ownerReferences = [{ apiVersion, kind: 'ServerClaim', name: 'c1', uid: victim.metadata.uid, controller: true }]
      const planted = configuration('evil', 'c1', { image: 'live:1', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Network' } })
      await world.kube.create(configurations, { ...planted, metadata: { ...planted.metadata, ownerReferences } } as never)
      const spec = { power: 'On', image: 'live:1', serverRef: { name: 'srv-1-system-0' }, bootPolicy: { firstBoot: 'UefiHttp' } }
      await world.kube.create(claims, { apiVersion, kind: 'ServerClaim', metadata: { name: 'c1', namespace: 'evil' }, spec } as never)
      await when.passes(minutes(10))
      const before = boots('srv-1').length
      await when.wantsPower('c1', 'Off')
      await then.server('srv-1', minutes(10), { powerState: 'Off' })
      await when.wantsPower('c1', 'On')
      await then.server('srv-1', minutes(20), { boot: { method: 'Hdd', outcome: 'Started' } as never })
      expect(boots('srv-1').slice(before)).toEqual(['Hdd'])
      expect((await server('srv-1')).spec.serverClaimRef).toMatchObject({ namespace: 'default', uid: victim.metadata.uid })
      expect((await world.kube.get(claims, { name: 'c1', namespace: 'evil' })).status).toMatchObject({ phase: 'Unbound' })
    }))

  it('CVE-2024-6107 nobody speaks for a machine without its ticket: not as a probe, not as an installed system', async () => {
    const world = await bootWorld({ method: 'Pxe' })
    for (const path of ['/register', '/bootstate', `/boot/AAAA.AAAA/register`, `/boot/AAAA.AAAA/bootstate`]) {
      const body = { systemUUID: uuid, data: {}, booted: true, state: 'Installed' }
      expect((await world.ask(path, { method: 'POST', from: stranger, body })).status, path).toBe(403)
    }
    expect((await world.served())?.reports ?? []).toEqual([])
    await world.end()
  })

  it('CVE-2025-7044 who may make a Server cannot open a boot with it: what he says of its status is not kept', async () => {
    const world = await testWorld(kinds)
    const boot = {
      attempt: 9,
      purpose: 'Claim',
      method: 'Hdd',
      step: 'Running',
      serves: true,
      opened: '2027-01-01T00:00:00Z',
      expires: '2099-01-01T00:00:00Z',
    }
    const status = { state: 'Available', powerState: 'Off', boot }
    await world.kube.create(servers, { apiVersion, kind: 'Server', metadata: { name: 's' }, spec: { systemUUID: 'u' }, status } as never)
    await world.kube.patch(servers, { name: 's' }, { merge: { status } })
    expect((await world.kube.get(servers, { name: 's' })).status).toBeUndefined()
    await world.close()
  })
})
