import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../src/api/kinds.ts'
import { memoryBlobs } from '../../src/boot/blobs/memory.ts'
import { openFetcher } from '../../src/boot/fetcher.ts'
import { bootConfigurationController } from '../../src/controllers/metal/boot-configuration/index.ts'
import { configurations, type ServerBootConfiguration } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { type ImageSource, imageResolver } from '../../src/oci/resolve.ts'
import { verified } from '../../src/oci/verify.ts'
import { type TestWorld, testWorld } from '../runtime/world.ts'

const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`
const uki = 'a unified kernel image'
const manifest = JSON.stringify({ layers: [{ mediaType: 'application/vnd.ironcore.image.uki', digest: digestOf(uki), size: uki.length }] })
const newer = JSON.stringify({ layers: [{ mediaType: 'application/vnd.ironcore.image.uki', digest: digestOf('newer'), size: 5 }] })

/** A registry whose content a test changes as it likes. */
function registry() {
  const content = new Map<string, string>([
    ['os:1', manifest],
    [digestOf(uki), uki],
    [digestOf('newer'), 'newer'],
  ])
  const source: ImageSource = {
    async document(repository, name) {
      return Buffer.from(content.get(`${repository}:${name}`) ?? '')
    },
    async *blob(_, digest) {
      yield Buffer.from(content.get(digest) ?? '')
    },
  }
  return { content, source }
}

async function started(
  source: ImageSource,
): Promise<TestWorld & { stop(): Promise<void>; configuration(): Promise<ServerBootConfiguration> }> {
  const world = await testWorld(kinds)
  const artifacts = openFetcher({
    blobs: memoryBlobs(verified),
    open: (_, digest) => source.blob('os', digest),
    baseUrl: 'https://boot.example',
  })
  const controllers = world.controllers()
  controllers.add(kube => bootConfigurationController({ kube, images: imageResolver(() => source), artifacts }))
  controllers.start()
  await world.kube.create(configurations, {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'ServerBootConfiguration',
    metadata: { name: 'c1', namespace: 'default' },
    spec: { serverRef: { name: 'srv-1' }, image: 'r.io/os:1', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Hdd' } },
  })
  await world.clock.advance(minutes(1))
  return {
    ...world,
    configuration: () => world.kube.get(configurations, { name: 'c1', namespace: 'default' }),
    async stop() {
      await controllers.stop()
      await world.close()
    },
  }
}

describe('a boot configuration', () => {
  it('BP-030 BP-057 is Ready with the address of its UKI once that is verified', async () => {
    const world = await started(registry().source)
    expect((await world.configuration()).status).toMatchObject({
      state: 'Ready',
      httpBootURI: `https://boot.example/artifacts/${digestOf(uki).replace(':', '-')}/os.efi`,
      image: { digest: digestOf(manifest) },
      observedGeneration: 1,
    })
    await world.stop()
  })
  it('keeps the image that it pinned, whatever becomes of the tag', async () => {
    const { content, source } = registry()
    const world = await started(source)
    content.set('os:1', newer)
    await world.clock.advance(minutes(60))
    expect((await world.configuration()).status?.image?.digest).toBe(digestOf(manifest))
    await world.stop()
  })
  it('I13 S16 CVE-2024-47211 never becomes Ready with bytes that are not the pinned ones, and recovers when the registry does', async () => {
    const { content, source } = registry()
    content.set(digestOf(uki), uki.replace('a', 'b'))
    const world = await started(source)
    expect((await world.configuration()).status).toMatchObject({
      state: 'Error',
      conditions: expect.arrayContaining([expect.objectContaining({ type: 'ImageValid', reason: 'ImageDigestDiffers' })]),
    })
    content.set(digestOf(uki), uki)
    await world.clock.advance(minutes(5))
    expect((await world.configuration()).status?.state).toBe('Ready')
    await world.stop()
  })
  it('I26 writes nothing once it is Ready', async () => {
    const world = await started(registry().source)
    const before = world.writes().length
    await world.clock.advance(minutes(120))
    expect(world.writes().length).toBe(before)
    await world.stop()
  })
})
