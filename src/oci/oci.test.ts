import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseReference, printReference } from './reference.ts'
import { type ImageSource, imageResolver } from './resolve.ts'
import { verified } from './verify.ts'

const digestOf = (bytes: Uint8Array | string): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const d1 = `sha256:${'a'.repeat(64)}`

describe('parseReference()', () => {
  const good: readonly (readonly [text: string, full: string])[] = [
    ['my-osimage:latest', 'docker.io/library/my-osimage:latest'],
    ['my-osimage', 'docker.io/library/my-osimage:latest'],
    ['team/os:1.2', 'docker.io/team/os:1.2'],
    ['Registry.Example.com/team/os', 'registry.example.com/team/os:latest'],
    ['localhost:5000/os:v1', 'localhost:5000/os:v1'],
    [`ghcr.io/a/b@${d1}`, `ghcr.io/a/b@${d1}`],
    [`ghcr.io/a/b:1@${d1}`, `ghcr.io/a/b:1@${d1}`],
  ]
  for (const [text, full] of good) it(`reads ${text}`, () => expect(printReference(parseReference(text))).toBe(full))
  const bad = [
    '',
    'UPPER',
    'a b',
    'file:///etc/passwd',
    'http://x/y',
    'x/../y',
    'a@sha256:zz',
    `a@${d1}@${d1}`,
    'a:',
    'a:b:c/',
    '-x.io/a',
    'x'.repeat(256),
    'os:$tag',
    'a//b',
    'ghcr.io/',
  ]
  for (const text of bad)
    it(`refuses ${text.slice(0, 30)}`, () => expect(() => parseReference(text)).toThrow(/Cannot read the image reference/))
})

/** A registry of documents by tag or digest. */
function registry(documents: Record<string, unknown>): ImageSource & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async document(_, name) {
      asked.push(name)
      const found = documents[name]
      if (found === undefined) throw new Error(`no ${name}`)
      return typeof found === 'string' ? Buffer.from(found) : Buffer.from(JSON.stringify(found))
    },
    async *blob() {},
  }
}
const layer = (mediaType: string, n = 1) => ({ mediaType, digest: `sha256:${String(n).repeat(64)}`, size: 10 * n })
const uki = {
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  layers: [layer('application/vnd.ironcore.image.uki'), layer('application/octet-stream', 2)],
}
const legacy = { layers: [layer('application/io.gardenlinux.kernel'), layer('application/io.gardenlinux.initrd', 2)] }
const entry = (document: unknown, architecture: string, annotations = {}) => ({
  mediaType: 'application/vnd.oci.image.manifest.v1+json',
  digest: digestOf(JSON.stringify(document)),
  size: JSON.stringify(document).length,
  platform: { architecture },
  annotations,
})

describe('imageResolver()', () => {
  const inspect = (source: ImageSource, reference = 'r.io/os:1', architecture = 'x86_64') =>
    imageResolver(host => (host === 'r.io' ? source : undefined)).inspect(reference, architecture)

  it('pins the digest of a tag and names the artefacts by role', async () => {
    expect(await inspect(registry({ '1': uki }))).toEqual({
      reference: 'r.io/os:1',
      digest: digestOf(JSON.stringify(uki)),
      architecture: 'x86_64',
      architectures: ['x86_64'],
      artifacts: [{ role: 'uki', digest: `sha256:${'1'.repeat(64)}`, bytes: 10 }],
    })
  })
  it('chooses the manifest of the server’s architecture from an index', async () => {
    const index = { manifests: [entry(legacy, 'arm64'), entry(uki, 'amd64')] }
    const facts = await inspect(registry({ '1': index, [digestOf(JSON.stringify(uki))]: uki }))
    expect(facts).toMatchObject({ digest: digestOf(JSON.stringify(uki)), architectures: ['arm64', 'amd64'] })
  })
  it('prefers the manifest that old images mark for PXE', async () => {
    const index = { manifests: [entry(uki, 'amd64'), entry(legacy, 'amd64', { cname: 'metal_pxe-amd64' })] }
    const { artifacts } = await inspect(registry({ '1': index, [digestOf(JSON.stringify(legacy))]: legacy }))
    expect(artifacts.map(a => a.role)).toEqual(['kernel', 'initramfs'])
  })
  it('says which architectures there are when the right one is missing', async () => {
    await expect(inspect(registry({ '1': { manifests: [entry(uki, 'arm64')] } }))).rejects.toMatchObject({
      code: 'image/no-architecture',
      retry: 'when-changed',
      message: expect.stringContaining('arm64'),
    })
  })
  it('BP-026 uses nothing whose digest is not the pinned one', async () => {
    const index = { manifests: [entry(uki, 'amd64')] }
    await expect(inspect(registry({ '1': index, [digestOf(JSON.stringify(uki))]: legacy }))).rejects.toMatchObject({
      code: 'image/digest-differs',
    })
  })
  it('asks no registry that is not allowed', async () => {
    const source = registry({ '1': uki })
    await expect(inspect(source, 'evil.io/os:1')).rejects.toMatchObject({ code: 'image/registry-refused' })
    expect(source.asked).toEqual([])
  })
  const hostile: readonly (readonly [what: string, document: unknown])[] = [
    ['text', 'hello'],
    ['a list', []],
    ['an object without layers', {}],
    ['a layer without a digest', { layers: [{ mediaType: 'x', size: 1 }] }],
    ['a layer with a path for a digest', { layers: [{ mediaType: 'x', digest: '../../etc/passwd', size: 1 }] }],
    ['a layer of negative size', { layers: [{ mediaType: 'x', digest: d1, size: -1 }] }],
    ['two layers of one role', { layers: [layer('application/vnd.ironcore.image.uki'), layer('application/vnd.ironcore.image.uki', 2)] }],
    ['more layers than anybody needs', { layers: Array.from({ length: 1_001 }, () => layer('x')) }],
  ]
  for (const [what, document] of hostile)
    it(`refuses a manifest that is ${what}`, async () =>
      await expect(inspect(registry({ '1': document }))).rejects.toMatchObject({ code: 'image/malformed' }))
})

describe('verified()', () => {
  const content = Buffer.from('the image itself')
  async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
    yield* parts
  }
  const read = async (source: AsyncIterable<Uint8Array>, size = content.length, digest = digestOf(content)): Promise<string> => {
    const seen: Uint8Array[] = []
    for await (const chunk of verified(source, digest, size)) seen.push(chunk)
    return Buffer.concat(seen).toString()
  }
  it('passes on what is as promised', async () =>
    expect(await read(chunks(content.subarray(0, 5), content.subarray(5)))).toBe('the image itself'))
  it('I13 fails on a flipped byte, a missing one and one too many', async () => {
    const flipped = Buffer.from(content)
    flipped[3] = 0
    await expect(read(chunks(flipped))).rejects.toThrow('other content')
    await expect(read(chunks(content.subarray(1)))).rejects.toThrow('15 bytes instead of 16')
    await expect(read(chunks(content, Buffer.from('!')))).rejects.toThrow('more than the 16 bytes')
  })
})
