import { describe, expect, it } from 'vitest'
import { openBase } from '../../../src/boot/host-images/base.ts'
import { memorySource } from '../../../src/boot/source.ts'
import { images } from '../../../src/controllers/metal3/resources.ts'
import { conditionOf } from '../../../src/core/condition.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import { Fault } from '../../../src/core/fault.ts'
import type { ResourceRef } from '../../../src/ports/index.ts'
import { makeLiveIso } from '../../../src/sim/images/live-iso.ts'
import { scenarios } from '../../../src/sim/story.ts'
import { inVirtualTime } from '../virtual.ts'
import { base } from './base.ts'
import { ignitionOn, imageSetting, type Studio } from './setting.ts'
import { found, image, key, merges, page, ready, reasonIs, recovers, theirs, uri } from './stories.ts'
import { answer, json, type Page } from './web.ts'

const play = scenarios(imageSetting)
const secrets: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
const override = { 'baremetal.openshift.io/ignition-override-uri': uri }
const linked = { 'infraenvs.agent-install.openshift.io': 'spoke' }

/** Plays, and hands out the studio as it stood at the end. */
async function told(name: string, story: (words: Parameters<Parameters<typeof play>[1]>[0], studio: () => Studio) => Promise<void>) {
  let studio: Studio | undefined
  const run = await inVirtualTime(
    play(name, async words => {
      await words.then.within(seconds(1)).sees('the studio', sight => {
        studio = sight.devices
        return true
      })
      await story(words, () => studio!)
    }),
  )
  expect(run.violations).toEqual([])
  return { run, studio: studio! }
}
const messageOf = (sight: Parameters<typeof found>[0]): string => conditionOf(found(sight)?.status, 'Ready')?.message ?? ''

describe('images of hosts', () => {
  it(`ZT-012 ZT-014 ZT-016 ${merges.name}, in virtual time`, async () => {
    const run = await inVirtualTime(merges)
    expect(run.violations).toEqual([])
    expect(run.end).toContain('ImageSuccess')
  })
  it(`ZT-021 ZT-022 ${recovers.name}, in virtual time`, async () => {
    expect((await inVirtualTime(recovers)).violations).toEqual([])
  })

  it('ZT-016 says while it is young that it can still be changed', async () => {
    await told('young', async ({ when, then }) => {
      await when.creates(images, image({ labels: linked, annotations: override }) as never)
      await then.within(seconds(5)).sees('it settles', sight => reasonIs(sight, 'Settling'))
    })
  })
  it('ZT-013 T-65 without label and annotation an image is built at once, with the Ironic agent alone', async () => {
    await told('plain', async ({ when, then }, studio) => {
      await when.creates(images, image() as never)
      let url = ''
      await then.within(seconds(2)).sees('it is ready', sight => {
        url = found(sight)?.status?.imageUrl ?? ''
        return ready(sight)
      })
      const ignition = (await ignitionOn(studio(), url)) as {
        systemd: { units: { name: string }[] }
        storage: { files: { path: string }[] }
      }
      expect(ignition.systemd.units.map(({ name }) => name)).toEqual(['ironic-agent.service'])
      expect(ignition.storage.files.map(({ path }) => path)).toEqual(['/etc/ironic-python-agent.conf'])
      expect(studio().web.asked).toEqual([])
    })
  })

  for (const [formats, file] of [
    [['iso', 'initrd'], 'live.iso'],
    [['initrd'], 'initrd.img'],
  ] as const)
    it(`ZT-012 ZT-018 T-68 ${file}: somebody's Ignition goes in beside the Ironic agent's, which wins, and the conflict is named`, async () => {
      const theirConfig = {
        ignition: { version: '3.4.0' },
        storage: { files: [...theirs.storage.files, { path: '/etc/ironic-python-agent.conf', contents: { source: 'data:,evil' } }] },
      }
      await told('merged', async ({ when, then }, studio) => {
        studio().web.pages.set(page, json(theirConfig))
        await when.creates(images, image({ annotations: override, spec: { acceptFormats: formats } }) as never)
        let seen = { url: '', message: '', params: '' as string | undefined }
        await then.within(seconds(20)).sees('it is ready', sight => {
          seen = { url: found(sight)?.status?.imageUrl ?? '', message: messageOf(sight), params: found(sight)?.status?.extraKernelParams }
          return ready(sight)
        })
        expect(seen.url).toMatch(new RegExp(`/host-images/[0-9a-f]{32}-[0-9a-f]{32}/${file}$`))
        expect(seen.message).toBe(
          "Generated image; the Ironic agent's own was taken instead of storage.files /etc/ironic-python-agent.conf",
        )
        expect(seen.params?.includes('coreos.live.rootfs_url=https://192.0.2.10:7480/host-images/')).toBe(
          file === 'initrd.img' ? true : undefined,
        )
        const ignition = JSON.stringify(await ignitionOn(studio(), seen.url))
        expect([ignition.includes('/etc/assisted'), ignition.includes('evil'), ignition.includes('"version":"3.4.0"')]).toEqual([
          true,
          false,
          true,
        ])
      })
    })

  const endless: Page = () =>
    answer(
      200,
      (async function* () {
        for (;;) yield new Uint8Array(1 << 20)
      })(),
    )
  const gibibyte: Page = () =>
    answer(
      200,
      (async function* () {
        for (let i = 0; i < 1_024; i++) yield new Uint8Array(1 << 20)
      })(),
      { 'content-length': String(1 << 30) },
    )
  const failures: readonly (readonly [what: string, Page | undefined, reason: string, words: string])[] = [
    ['404', undefined, 'IgnitionUnreadable', 'the server answered 404'],
    ['500', () => answer(500), 'IgnitionUnreadable', 'the server answered 500'],
    ['endless', endless, 'IgnitionUnreadable', 'larger than 8 MiB'],
    ['1 GB', gibibyte, 'IgnitionUnreadable', 'larger than 8 MiB'],
    ['not Ignition', () => answer(200, 'hello'), 'IgnitionUnreadable', 'it is no Ignition'],
    ['JSON, but not Ignition', json({ hello: 1 }), 'ImageBuildInvalid', 'ignition.version is not there'],
    ['Ignition 2.x', json({ ignition: { version: '2.2.0' } }), 'ImageBuildInvalid', 'it is Ignition 2.2.0'],
    [
      'a config that replaces ours',
      json({ ignition: { version: '3.2.0', config: { replace: { source: 'http://x' } } } }),
      'ImageBuildInvalid',
      'ignition.config.replace',
    ],
    ['redirect loop', () => answer(302, '', { location: uri }), 'IgnitionUnreadable', 'points on more than 5 times'],
    ['redirect to plain HTTP', () => answer(302, '', { location: 'http://elsewhere/' }), 'IgnitionUnreadable', 'not encrypted'],
    ['redirect to a file', () => answer(302, '', { location: 'file:///etc/shadow' }), 'IgnitionUnreadable', 'only http and https'],
    [
      'never answers',
      ({ signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
      'IgnitionUnreadable',
      'takes longer than 60 s',
    ],
  ]
  for (const [what, bad, reason, words] of failures)
    it(`ZT-021 ZT-022 ZT-023 an Ignition that is ${what}: a condition with the reason, nothing served, and recovery`, async () => {
      const { run } = await told(what, async ({ when, then }, studio) => {
        if (bad) studio().web.pages.set(page, bad)
        await when.creates(images, image({ annotations: override }) as never)
        let message = ''
        await then.within(minutes(2)).sees('the reason', sight => {
          message = messageOf(sight)
          return reasonIs(sight, reason) && found(sight)?.status?.imageUrl === undefined
        })
        expect(message).toContain(words)
        studio().web.pages.set(page, json(theirs))
        await then.within(minutes(6)).sees('it is ready', ready)
      })
      const everything = `${run.log()}${JSON.stringify(run.said)}`.replaceAll(`"ignition-override-uri":"${uri}"`, '')
      expect(
        run.said.some(({ what: line, about }) => line.includes('cannot be built') && JSON.stringify(about).includes('default/worker-0')),
      ).toBe(true)
      // The annotation itself is somebody's object; besides it the key is nowhere.
      expect(everything.replaceAll(/"baremetal\.openshift\.io\/ignition-override-uri":"[^"]*"/g, '')).not.toContain(
        'secret-of-the-assisted-service',
      )
    })

  it.each(['{"ignition":{"version":"3.2.0"}}', 'data:,{}', 'secret/ignition', 'file:///etc/shadow'])(
    'ZT-015 takes no %s for the address of an Ignition',
    async value => {
      await told('no address', async ({ when, then }, studio) => {
        await when.creates(images, image({ annotations: { 'baremetal.openshift.io/ignition-override-uri': value } }) as never)
        await then.within(seconds(20)).sees('the reason', sight => reasonIs(sight, 'IgnitionUnreadable'))
        expect(studio().web.asked).toEqual([])
      })
    },
  )
  it('ZT-024 T-71 builds where neither hosts nor anything of the assisted service is known', async () => {
    const alone = scenarios({
      ...imageSetting,
      crds: imageSetting.crds.filter(({ metadata }) => metadata.name.startsWith('preprovisioningimages')),
    })
    const run = await inVirtualTime(
      alone('alone', async ({ when, then }) => {
        await when.creates(images, image() as never)
        await then.within(minutes(2)).sees('it is ready', ready)
      }),
    )
    expect(run.violations).toEqual([])
  })
  it('ZT-010 T-72 network data of a host that belongs to an InfraEnv is ignored, and a condition says so', async () => {
    await told('ignored', async ({ when, then }, studio) => {
      studio().web.pages.set(page, json(theirs))
      await when.creates(images, image({ labels: linked, annotations: override, spec: { networkDataName: 'net' } }) as never)
      await then
        .within(minutes(2))
        .sees('it is ready without', sight => ready(sight) && conditionOf(found(sight)?.status, 'NetworkDataIgnored')?.status === 'True')
    })
  })
  it('IC-05 IC-06 network data: missing, without its key, refused, then used, and its revision is told', async () => {
    await told('network', async ({ when, then }, studio) => {
      const secret = (data: Readonly<Record<string, string>>) => ({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'default', name: 'net' },
        data,
      })
      const base64 = (text: string): string => Buffer.from(text).toString('base64')
      await when.creates(images, image({ spec: { networkDataName: 'net' } }) as never)
      await then.within(seconds(5)).sees('it is missing', sight => reasonIs(sight, 'MissingNetworkData'))
      await when.creates(secrets, secret({ other: base64('x') }) as never)
      await then.within(minutes(2)).sees('no key', sight => reasonIs(sight, 'ImageBuildInvalid'))
      await when.changes(secrets, { namespace: 'default', name: 'net' }, { data: { nmstate: base64('bad') } })
      await then.within(minutes(6)).sees('it is refused', sight => reasonIs(sight, 'ConfigurationError'))
      await when.changes(secrets, { namespace: 'default', name: 'net' }, { data: { nmstate: base64('interfaces: []') } })
      let url = ''
      await then.within(minutes(6)).sees('it is ready', sight => {
        url = found(sight)?.status?.imageUrl ?? ''
        return ready(sight) && found(sight)?.status?.networkData?.version !== undefined
      })
      expect(JSON.stringify(await ignitionOn(studio(), url))).toContain('/etc/NetworkManager/system-connections/eth0.nmconnection')
    })
  })
  it('ZT-021 ZT-022 a live ISO that cannot be used is told where its image is wanted, which is built when it can', async () => {
    await told('no base', async ({ when, then }, studio) => {
      studio().shelf?.add('x86_64', new Fault('boot/other-architecture', 'the live ISO is for aarch64', 'when-changed'))
      await when.creates(images, image() as never)
      await then.within(seconds(20)).sees('it says why not', sight => reasonIs(sight, 'ConfigurationError'))
      await then.within(seconds(1)).sees('in words', sight => messageOf(sight) === 'the live ISO is for aarch64')
      studio().shelf?.add('x86_64', base)
      await then.within(minutes(2)).sees('it is ready', ready)
    })
  })
  it('X-030 a live ISO that cannot be used after a restart takes no image from a machine', async () => {
    await told('no base any longer', async ({ when, then }, studio) => {
      await when.creates(images, image() as never)
      let url = ''
      await then.within(seconds(5)).sees('it is ready', sight => {
        url = found(sight)?.status?.imageUrl ?? ''
        return ready(sight)
      })
      when.crashes('a')
      const before = studio().shelf
      await then.within(minutes(1)).sees('another process serves', () => studio().shelf !== before)
      studio().shelf?.add('x86_64', new Fault('boot/no-live-iso', 'it cannot be read', 'when-changed'))
      await when.passes(minutes(5))
      await then.within(seconds(1)).sees('the same address', sight => ready(sight) && found(sight)?.status?.imageUrl === url)
      studio().shelf?.add('x86_64', base)
      await when.passes(minutes(2))
      expect(await ignitionOn(studio(), url)).toBeDefined()
    })
  })
  it('ZT-021 a live ISO with too little room for an Ignition is told on the image', async () => {
    const tiny = makeLiveIso({ files: { 'images/ignition.img': Buffer.alloc(64) } })
    const small = await openBase(memorySource(tiny.bytes), 'x86_64', () => 'https://boot.example/rootfs.img')
    await told('no room', async ({ when, then }, studio) => {
      studio().shelf?.add('x86_64', small)
      await when.creates(images, image() as never)
      await then.within(seconds(20)).sees('it says why not', sight => reasonIs(sight, 'ConfigurationError'))
      await then.within(seconds(1)).sees('in words', sight => messageOf(sight).includes('not even a pointer to its Ignition fits'))
    })
  })
  it('ZT-021 an architecture without a live ISO, and formats that nobody makes, are errors', async () => {
    for (const spec of [{ architecture: 's390x' }, { acceptFormats: [] }])
      await told('not built', async ({ when, then }) => {
        await when.creates(images, image({ spec }) as never)
        await then
          .within(seconds(5))
          .sees('an error', sight => reasonIs(sight, 'ConfigurationError') && conditionOf(found(sight)?.status, 'Error')?.status === 'True')
      })
  })
  it('ZT-012 an Ignition that is too big for the disc is fetched from us by its digest', async () => {
    const large = { ignition: { version: '3.2.0' }, storage: { files: [{ path: '/x', contents: { source: `data:,${noise(600_000)}` } }] } }
    await told('large', async ({ when, then }, studio) => {
      studio().web.pages.set(page, json(large))
      await when.creates(images, image({ annotations: override }) as never)
      let url = ''
      await then.within(seconds(20)).sees('it is ready', sight => {
        url = found(sight)?.status?.imageUrl ?? ''
        return ready(sight)
      })
      const pointer = (await ignitionOn(studio(), url)) as {
        ignition: { config: { merge: { source: string; verification: { hash: string } }[] } }
      }
      const [{ source, verification }] = pointer.ignition.config.merge as [{ source: string; verification: { hash: string } }]
      const served = studio().handler({ method: 'GET', url: new URL(source).pathname, headers: {} })!
      const bytes: Uint8Array[] = []
      for await (const part of served.body as AsyncIterable<Uint8Array>) bytes.push(part)
      const { createHash } = await import('node:crypto')
      expect(`sha256-${createHash('sha256').update(Buffer.concat(bytes)).digest('hex')}`).toBe(verification.hash)
      expect(Buffer.concat(bytes).toString()).toContain('/etc/ironic-python-agent.conf')
    })
  })
  it('X-030 after a restart an image is where it was, and is not written again', async () => {
    await told('restart', async ({ when, then }, studio) => {
      studio().web.pages.set(page, json(theirs))
      await when.creates(images, image({ annotations: override }) as never)
      let before = { url: '', version: '' }
      const at = (sight: Parameters<typeof found>[0]) => ({
        url: found(sight)?.status?.imageUrl ?? '',
        version: found(sight)?.metadata.resourceVersion ?? '',
      })
      await then.within(seconds(20)).sees('it is ready', sight => {
        before = at(sight)
        return ready(sight)
      })
      when.crashes('a')
      await when.passes(seconds(30))
      await then.within(seconds(1)).sees('the same', sight => JSON.stringify(at(sight)) === JSON.stringify(before))
      expect(await ignitionOn(studio(), before.url)).toBeDefined()
    })
  })
  for (const [disk, loses] of [
    ['its disk', false],
    ['nothing', true],
  ] as const)
    it(`X-030 a restart with ${disk} left takes no image from a machine while the server of its Ignition is ill`, async () => {
      await told(`ill with ${disk}`, async ({ when, then }, studio) => {
        studio().web.pages.set(page, json(theirs))
        await when.creates(images, image({ annotations: override }) as never)
        let url = ''
        await then.within(seconds(20)).sees('it is ready', sight => {
          url = found(sight)?.status?.imageUrl ?? ''
          return ready(sight)
        })
        studio().web.pages.set(page, () => answer(500))
        if (loses) for (const uid of studio().records.kept.keys()) await studio().records.drop(uid)
        when.crashes('a')
        await when.passes(minutes(10))
        await then.within(seconds(1)).sees('the same address, without an error', sight => {
          const { status } = found(sight)!
          return ready(sight) && status?.imageUrl === url && conditionOf(status, 'Error')?.status === 'False'
        })
        expect(JSON.stringify(await ignitionOn(studio(), url))?.includes('/etc/assisted')).toBe(loses ? undefined : true)
        studio().web.pages.set(page, json(theirs))
        await when.passes(minutes(1))
        expect(JSON.stringify(await ignitionOn(studio(), url))).toContain('/etc/assisted')
      })
    })
  it('ZT-021 an image of which something else is wanted is not kept back as it was, but its machine can still read', async () => {
    await told('otherwise', async ({ when, then }, studio) => {
      studio().web.pages.set(page, json(theirs))
      await when.creates(images, image({ annotations: override }) as never)
      let url = ''
      await then.within(seconds(20)).sees('it is ready', sight => {
        url = found(sight)?.status?.imageUrl ?? ''
        return ready(sight)
      })
      when.crashes('a')
      await when.changes(images, key, {
        metadata: { annotations: { 'baremetal.openshift.io/ignition-override-uri': 'https://assisted.example/nowhere' } },
      })
      await then.within(minutes(1)).sees('it says why not', sight => reasonIs(sight, 'IgnitionUnreadable'))
      expect(await ignitionOn(studio(), url)).toBeDefined()
    })
  })
  it('ZT-026 nothing is kept of an image that is gone', async () => {
    await told('nothing left', async ({ when, then }, studio) => {
      await when.creates(images, image() as never)
      await then.within(seconds(5)).sees('it is ready', ready)
      expect(studio().records.kept.size).toBe(1)
      await when.removes(images, key)
      await then.within(seconds(10)).sees('it is gone', sight => found(sight) === undefined)
      expect(studio().records.kept.size).toBe(0)
    })
  })
  it('ZT-026 ZT-027 what goes is freed, but not while somebody else needs it', async () => {
    await told('freed', async ({ when, then }, studio) => {
      const held = image() as { metadata: object }
      await when.creates(images, {
        ...held,
        metadata: { ...held.metadata, finalizers: ['baremetalhost.metal3.io/preprovisioningImage'] },
      } as never)
      let url = ''
      await then.within(seconds(5)).sees('it is ready', sight => {
        url = found(sight)?.status?.imageUrl ?? ''
        return ready(sight)
      })
      await when.removes(images, key)
      await when.passes(minutes(5))
      expect(await ignitionOn(studio(), url)).toBeDefined()
      await when.changes(images, key, { metadata: { finalizers: ['preprovisioningimage.metal3.io'] } })
      await then.within(seconds(10)).sees('it is gone', sight => found(sight) === undefined)
      expect(await ignitionOn(studio(), url)).toBeUndefined()
    })
  })
})

/** Text that does not pack. */
function noise(length: number): string {
  let [state, text] = [1, '']
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    text += state.toString(36)
  }
  return text.slice(0, length)
}
