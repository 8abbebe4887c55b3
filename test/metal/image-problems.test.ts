import { describe, expect, it } from 'vitest'
import { configurations } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { Fault } from '../../src/core/fault.ts'
import { installerProgram, simImage } from '../../src/sim/images/demo.ts'
import type { SimImage } from '../../src/sim/images/image.ts'
import { story, type Words } from './story.ts'

const installer = installerProgram('os-1')
const good = simImage('library/later', '1', { uki: installer, kernel: installer, initramfs: [] })
const without = (...roles: readonly string[]): SimImage => {
  const content = Object.entries(good.content).map(([architecture, files]) => {
    return [architecture, Object.fromEntries(Object.entries(files ?? {}).filter(([role]) => !roles.includes(role)))]
  })
  return { ...good, content: Object.fromEntries(content) }
}
const onlyArm: SimImage = { ...good, content: { arm64: good.content.arm64! } }
const answers = (code: string, retry: 'backoff' | 'when-changed'): Fault => new Fault(code, `Cannot read the image: ${code}`, retry)

interface Problem {
  readonly reason: string
  readonly firstBoot?: 'Pxe'
  /** What the registry has, and how it answers. */
  readonly image?: SimImage
  readonly fault?: Fault
}

/** As test/boot/image-problems.test.ts finds them at a registry; here with everybody who acts on what is found. */
const problems: Readonly<Record<string, Problem>> = {
  'a missing UKI': { reason: 'MissingArtifact', image: without('uki') },
  'a missing initramfs': { reason: 'MissingArtifact', image: without('initramfs'), firstBoot: 'Pxe' },
  'another architecture': { reason: 'ImageNoArchitecture', image: onlyArm },
  'an unknown tag': { reason: 'ImageNotFound' },
  'a registry that fails': { reason: 'ImageRegistryFailed', image: good, fault: answers('image/registry-failed', 'backoff') },
  'a registry that is down': { reason: 'ImageRegistryUnreachable', image: good, fault: answers('image/registry-unreachable', 'backoff') },
  'missing credentials': { reason: 'ImageUnauthorized', image: good, fault: answers('image/unauthorized', 'when-changed') },
  'a manifest with other content': { reason: 'ImageDigestDiffers', image: good, fault: answers('image/digest-differs', 'backoff') },
  'a registry that is not allowed': {
    reason: 'ImageRegistryRefused',
    image: good,
    fault: answers('image/registry-refused', 'when-changed'),
  },
  'a redirect to a private address': {
    reason: 'ImageAddressRefused',
    image: good,
    fault: answers('image/address-refused', 'when-changed'),
  },
  'a layer that is too large': { reason: 'ImageTooLarge', image: good, fault: answers('image/too-large', 'when-changed') },
}

const warned = async ({ world }: Words, kind: string): Promise<readonly string[]> =>
  (await world.kube.list({ group: '', version: 'v1', plural: 'events', namespaced: true })).items.flatMap(event => {
    const about = event['involvedObject'] as { readonly kind?: string } | undefined
    return event['type'] === 'Warning' && about?.kind === kind ? [String(event['reason'])] : []
  })
const policyOf = ({ firstBoot }: Problem) => ({ firstBoot: firstBoot ?? 'UefiHttp', boot: 'Hdd' })

describe('a claim for an image with', () => {
  for (const [what, problem] of Object.entries(problems))
    it(`BP-026 BP-027 BP-028 X-003 ${what} says ${problem.reason}, makes nothing, and goes on by itself when that is mended`, () =>
      story(async words => {
        const { when, then, world, boots } = words
        if (problem.image) world.push(problem.image)
        world.refuses(problem.fault)
        await when.claims('c1', { image: 'later:1', bootPolicy: policyOf(problem) })
        await when.passes(minutes(30))
        const { status } = await then.claim('c1', 0, () => true, 'is there')
        expect(status?.conditions).toContainEqual(expect.objectContaining({ type: 'ImageValid', status: 'False', reason: problem.reason }))
        expect(new Set(await warned(words, 'ServerClaim'))).toEqual(new Set([problem.reason]))
        expect((await world.kube.list(configurations, { namespace: 'default' })).items).toEqual([])
        expect((await words.server('srv-1')).spec.serverClaimRef).toBeUndefined()
        expect(boots('srv-1')).toEqual(['Pxe'])
        world.push(good)
        world.refuses(undefined)
        await then.isProvisioned('c1', minutes(25))
        const mended = await then.claim('c1', 0, () => true, 'is there')
        expect(mended.status?.conditions).toContainEqual(expect.objectContaining({ type: 'ImageValid', status: 'True' }))
      }))

  it('S16 BP-028 a layer with other content is never served: its configuration says so, and goes on by itself when that is mended', () =>
    story(async words => {
      const { when, then, world, boots, configuration } = words
      world.push(good)
      world.spoil('library/later:1')
      await when.claims('c1', { image: 'later:1' })
      await when.passes(minutes(30))
      const { status } = (await configuration('c1'))!
      expect(status).toMatchObject({ state: 'Error' })
      expect(status?.conditions).toContainEqual(
        expect.objectContaining({ type: 'ImageValid', status: 'False', reason: 'ImageDigestDiffers' }),
      )
      expect(await warned(words, 'ServerBootConfiguration')).toContain('ImageDigestDiffers')
      expect(boots('srv-1')).toEqual(['Pxe'])
      world.spoil(undefined)
      await then.isProvisioned('c1', minutes(25))
    }))
})
