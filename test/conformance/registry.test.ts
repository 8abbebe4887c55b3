import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wallClock } from '../../src/net/wall-clock.ts'
import { credentialsIn } from '../../src/oci/credentials.ts'
import { openRegistries } from '../../src/oci/registries.ts'
import { imageResolver } from '../../src/oci/resolve.ts'
import { verified } from '../../src/oci/verify.ts'
import { demoImages } from '../../src/sim/images/demo.ts'
import { writeLayout } from '../../src/sim/images/layout.ts'
import { built } from './built.ts'
import { missing, type RealRegistry, skopeoPush, startRegistry } from './registry.ts'

if (missing.length > 0) console.log(`the real registry is skipped: ${missing.join(' and ')} not installed`)

const oras = built('tools/oras/build')
if ('missing' in oras) console.log(`pushing with oras’ library is skipped: ${oras.missing}`)

describe.skipIf(missing.length > 0)('a real registry, with images that skopeo pushed', () => {
  const layout = mkdtempSync(join(tmpdir(), 'rackwright-layout-'))
  let open: RealRegistry
  let closed: RealRegistry
  beforeAll(async () => {
    writeLayout(layout, demoImages)
    open = await startRegistry()
    closed = await startRegistry({ password: true })
    for (const name of ['os:1', 'os:no-uki', 'discovery:1']) await skopeoPush(layout, name, open.host)
    await skopeoPush(layout, 'os:1', closed.host, 'user:letmein')
  })
  afterAll(async () => {
    await open?.stop()
    await closed?.stop()
    rmSync(layout, { recursive: true, force: true })
  })
  const registries = (host: string, dockerConfig?: string) =>
    openRegistries(
      { allowed: [host] },
      { clock: wallClock, ...(dockerConfig === undefined ? {} : { credentials: async name => credentialsIn(dockerConfig, name) }) },
    )

  for (const [architecture, oci] of [
    ['x86_64', 'amd64'],
    ['aarch64', 'arm64'],
  ] as const)
    it(`X-004 shows what an image holds for ${oci}, and gives every byte of it`, async () => {
      const { sourceFor, close } = registries(open.host)
      const facts = await imageResolver(sourceFor).inspect(`${open.host}/os:1`, architecture)
      expect(facts.artifacts.map(({ role }) => role).toSorted()).toEqual(['initramfs', 'iso', 'kernel', 'uki'])
      for (const { role, digest, bytes } of facts.artifacts) {
        const chunks: Uint8Array[] = []
        for await (const chunk of verified(sourceFor(open.host)!.blob('os', digest), digest, bytes)) chunks.push(chunk)
        const [image] = demoImages.filter(({ repository, tag }) => repository === 'os' && tag === '1')
        expect(Buffer.concat(chunks).equals(Buffer.from(image?.content[oci]?.[role] ?? '')), role).toBe(true)
      }
      await close()
    })
  it.skipIf('missing' in oras)(
    'X-004 shows what an image holds that was pushed with oras’ library, and gives every byte of it',
    async () => {
      const pushed = spawnSync(join('folder' in oras ? oras.folder : '', 'push'), ['push', layout, 'os:1', `${open.host}/oras`], {
        encoding: 'utf8',
      })
      expect(pushed.status, pushed.stderr).toBe(0)
      const { sourceFor, close } = registries(open.host)
      const facts = await imageResolver(sourceFor).inspect(`${open.host}/oras/os:1`, 'x86_64')
      expect(facts.artifacts.map(({ role }) => role).toSorted()).toEqual(['initramfs', 'iso', 'kernel', 'uki'])
      for (const { digest, bytes } of facts.artifacts) {
        let read = 0
        for await (const chunk of verified(sourceFor(open.host)!.blob('oras/os', digest), digest, bytes)) read += chunk.length
        expect(read).toBe(bytes)
      }
      await close()
    },
  )
  it('says which tag there is not', async () => {
    const { sourceFor, close } = registries(open.host)
    await expect(imageResolver(sourceFor).inspect(`${open.host}/os:tomorrow`, 'x86_64')).rejects.toMatchObject({ code: 'image/not-found' })
    await close()
  })
  it('is read with the password of a Secret, and not without', async () => {
    const auths = (password: string): string => JSON.stringify({ auths: { [closed.host]: { username: 'user', password } } })
    const good = registries(closed.host, auths('letmein'))
    expect((await imageResolver(good.sourceFor).inspect(`${closed.host}/os:1`, 'x86_64')).artifacts).toHaveLength(4)
    for (const bad of [registries(closed.host, auths('wrong')), registries(closed.host)]) {
      await expect(imageResolver(bad.sourceFor).inspect(`${closed.host}/os:1`, 'x86_64')).rejects.toMatchObject({
        code: 'image/unauthorized',
      })
      await bad.close()
    }
    await good.close()
  })
  it('is a mirror of another that does not exist', async () => {
    const { sourceFor, close } = openRegistries({ mirrors: { 'nowhere.example': [open.host] } }, { clock: wallClock })
    expect((await imageResolver(sourceFor).inspect('nowhere.example/os:1', 'x86_64')).artifacts).toHaveLength(4)
    await close()
  })
})
