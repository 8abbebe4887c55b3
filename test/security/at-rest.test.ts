import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sealedStore } from '../../src/apiserver/store/sealed.ts'
import { openSqliteStore } from '../../src/apiserver/store/sqlite.ts'
import { openWorld } from '../../src/apiserver/world/index.ts'
import { backup } from '../../src/cli/commands/backup.ts'
import { startEmbedded } from '../../src/cli/embedded.ts'
import { type Home, homeAt, prepareHome } from '../../src/cli/home.ts'
import { secretsKey } from '../../src/cli/secrets-key.ts'
import { kubeClient } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type ResourceRef, silent } from '../../src/ports/index.ts'

const secrets: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
const key = { namespace: 'default', name: 'bmc' }
const bmcSecrets: ResourceRef = { group: 'metal.ironcore.dev', version: 'v1alpha1', plural: 'bmcsecrets', namespaced: false }
const bmcSecret = { apiVersion: 'metal.ironcore.dev/v1alpha1', kind: 'BMCSecret', metadata: { name: 'rack-1' } }
const canary = 'canary-that-sings-in-no-file'

describe('Secrets at rest', () => {
  let home: Home
  beforeEach(() => {
    home = homeAt({ home: mkdtempSync(join(tmpdir(), 'rackwright-rest-')) })
    prepareHome(home)
  })
  afterEach(() => rmSync(home.root, { recursive: true, force: true }))

  const running = async <T>(work: (kube: ReturnType<typeof kubeClient>) => Promise<T>): Promise<T> => {
    const embedded = await startEmbedded({ home, host: '127.0.0.1', port: 0, log: silent })
    try {
      const user = { name: 'test', groups: ['system:masters'] }
      return await work(kubeClient(embedded.server.transportAs(user), { clock: wallClock, ids: randomIds }))
    } finally {
      await embedded.close()
    }
  }
  const make = () =>
    running(async kube => {
      const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': `{"stringData":{"password":"${canary}"}}` }
      await kube.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { ...key, annotations }, data: { password: btoa(canary) } })
      await kube.patch(secrets, key, { merge: { data: { again: btoa(canary) } } })
      await kube.create(bmcSecrets, { ...bmcSecret, data: { password: btoa(canary) }, stringData: { spare: canary } })
    })
  /** Every file below the state folder in which a word stands, however it is written. */
  const sightings = (): readonly string[] =>
    (readdirSync(home.root, { recursive: true }) as string[]).filter(name => {
      const path = join(home.root, name)
      if (!statSync(path).isFile()) return false
      const bytes = readFileSync(path)
      return [canary, btoa(canary).slice(0, -4), Buffer.from(canary).toString('hex')].some(word => bytes.includes(word))
    })

  it('S12 no file of the state folder and no backup tells what is in a Secret or a BMCSecret, and it is read again after a restart', async () => {
    await make()
    await backup({ home: home.root }, join(home.root, 'copy.db'))
    expect(sightings()).toEqual([])
    const found = await running(kube => kube.find(secrets, key))
    expect(found).toMatchObject({ data: { password: btoa(canary), again: btoa(canary) } })
    expect(await running(kube => kube.find(bmcSecrets, { name: 'rack-1' }))).toMatchObject({ data: { password: btoa(canary) } })
    expect(statSync(join(home.pki, 'secrets.key')).mode & 0o777).toBe(0o600)
  })
  it('S12 without its key nothing starts, and the reason says which file is missing', async () => {
    await make()
    const right = readFileSync(join(home.pki, 'secrets.key'))
    rmSync(join(home.pki, 'secrets.key'))
    await expect(running(async () => {})).rejects.toThrow('Cannot read /secrets/default/bmc: it was sealed with another key')
    writeFileSync(join(home.pki, 'secrets.key'), right)
    expect(await running(kube => kube.find(secrets, key))).toBeDefined()
    writeFileSync(join(home.pki, 'secrets.key'), 'short')
    expect(() => secretsKey(home)).toThrow('not 32 bytes long')
  })
  it('S12 what was written before Secrets were sealed is read, and sealed when it is written next', async () => {
    const plain = await openWorld({ store: await openSqliteStore(home.store, { log: silent }), log: silent })
    const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'bmc', namespace: 'default' }, data: { password: btoa(canary) } }
    await plain.write('/secrets', 'default/bmc', () => ({ put: object }))
    await plain.write('metal.ironcore.dev/bmcsecrets', 'rack-1', () => ({ put: { ...bmcSecret, data: object.data } }))
    await plain.close()
    const open = async () =>
      openWorld({ store: sealedStore(await openSqliteStore(home.store, { log: silent }), secretsKey(home)), log: silent })
    const world = await open()
    expect(world.get('/secrets', 'default/bmc')?.object).toMatchObject({ data: object.data })
    expect(world.get('metal.ironcore.dev/bmcsecrets', 'rack-1')?.object).toMatchObject({ data: object.data })
    await world.write('/secrets', 'default/bmc', current => ({ put: { ...current!.object, data: { password: btoa('other') } } }))
    await world.close()
    const again = await open()
    expect(again.get('/secrets', 'default/bmc')?.object).toMatchObject({ data: { password: btoa('other') } })
    await again.close()
  })
})
