import { describe, expect, it } from 'vitest'
import { claims } from '../../src/controllers/metal/resources.ts'
import { serverClaimController } from '../../src/controllers/metal/server-claim/index.ts'
import { minutes } from '../../src/core/duration.ts'
import type { ControllerKube } from '../../src/ports/index.ts'
import { installerProgram, simImage } from '../../src/sim/images/demo.ts'
import type { Rack } from '../../src/sim/rack.ts'
import { story } from './story.ts'

/** The order that the seed wants: EFI shell, disk, network. */
const shellFirst = (rack: Rack): void => {
  rack.machine('srv-1').order = ['Boot0000', 'Boot0001', 'Boot0002']
}

const events = { group: '', version: 'v1', plural: 'events', namespaced: true }

describe('a claim', () => {
  it('BP-042 BP-057 BP-058 BP-059 BP-060 boots by PXE once, installs, and runs from disk, by the seed’s own words', () =>
    story(async ({ when, then, boots, happened, configuration }) => {
      const name = await when.applies('claim-pxe.yaml')
      await then.isProvisioned(name, minutes(10))
      await then.runsFrom('srv-1', 'Hdd', minutes(15))
      expect(boots('srv-1')).toEqual(['Pxe', 'Pxe', 'Hdd'])
      expect(happened('srv-1').filter(({ what }) => what === 'installed')).toHaveLength(1)
      expect((await configuration(name))?.spec).toMatchObject({ image: 'my-osimage:latest', bootPolicy: { firstBoot: 'Pxe', boot: 'Hdd' } })
    }))

  it('BP-001 BP-013 BP-043 BP-064 boots over HTTP once, installs, and runs from disk, by the seed’s own words', () =>
    story(async ({ when, then, boots, happened, configuration }) => {
      const name = await when.applies('claim-http-boot.yaml')
      await then.isProvisioned(name, minutes(10))
      await then.runsFrom('srv-1', 'Hdd', minutes(15))
      await then.server('srv-1', minutes(2), { state: 'Reserved', boot: { step: 'Ended', outcome: 'Installed' } as never })
      expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'Hdd'])
      expect(happened('srv-1').filter(({ what }) => what === 'installed')).toHaveLength(1)
      expect((await configuration(name))?.status).toMatchObject({ state: 'Ready', httpBootURI: expect.stringMatching(/^https:.*\.efi$/) })
    }))

  it('T-16 S9 the ticket is given to the BMC and stands in no object, event or log', () =>
    story(async ({ when, then, world, happened }) => {
      await when.claims('c1')
      await then.runsFrom('srv-1', 'Hdd', minutes(25))
      const url = happened('srv-1').flatMap(event => (event.what === 'boots' && event.url !== undefined ? [event.url] : []))[0]
      const ticket = url?.split('/').at(-2)
      expect(ticket).toMatch(/^[\w-]+\.[\w-]+$/)
      const written = JSON.stringify([world.writes(), world.logged])
      expect(written).not.toContain(ticket)
    }))

  it('BP-068 BP-069 BP-070 without a boot policy boots by PXE first, and from disk at its next commanded power cycle', () =>
    story(async ({ when, then, boots }) => {
      await when.claims('c1', { image: 'my-osimage:latest', bootPolicy: undefined })
      await then.runsFrom('srv-1', 'Hdd', minutes(25))
      await when.wantsPower('c1', 'Off')
      await then.server('srv-1', minutes(5), { powerState: 'Off' })
      await when.wantsPower('c1', 'On')
      await then.server('srv-1', minutes(10), { boot: { method: 'Hdd', outcome: 'Started' } as never })
      expect(boots('srv-1')).toEqual(['Pxe', 'Pxe', 'Hdd', 'Hdd'])
    }))

  it('BP-002 BP-014 BP-034 BP-061 boots from disk at every commanded power cycle once it is provisioned', () =>
    story(async ({ when, then, happened }) => {
      await when.claims('c1')
      await then.server('srv-1', minutes(25), { boot: { outcome: 'Installed' } as never })
      for (const round of [1, 2, 3]) {
        await when.wantsPower('c1', 'Off')
        await then.server('srv-1', minutes(5), { powerState: 'Off' })
        await when.wantsPower('c1', 'On')
        await then.server('srv-1', minutes(10), { boot: { attempt: 2 + round, method: 'Hdd', outcome: 'Started' } as never })
      }
      const boots = happened('srv-1').flatMap(event => (event.what === 'boots' ? [`${event.from} by ${event.by}`] : []))
      expect(boots.slice(-3)).toEqual(['Hdd by override', 'Hdd by override', 'Hdd by override'])
      expect(happened('srv-1').filter(({ what }) => what === 'installed')).toHaveLength(1)
    }))

  it('BP-026 BP-027 BP-028 with an image that lacks its artefact gets nothing, and everything once the image is right', () =>
    story(async ({ when, then, world, configuration, server, boots }) => {
      await when.claims('c1', { image: 'no-uki:1' })
      await when.passes(minutes(5))
      expect(await configuration('c1')).toBeUndefined()
      expect((await server('srv-1')).spec.serverClaimRef).toBeUndefined()
      expect(boots('srv-1')).toEqual(['Pxe'])
      const told = (await world.kube.list(events, { namespace: 'default' })).items.map(
        event => `${String(event['reason'])} on ${JSON.stringify(event['involvedObject'])}`,
      )
      expect(told).toContainEqual(expect.stringMatching(/^MissingArtifact on .*ServerClaim/))
      world.push(simImage('library/no-uki', '1', { uki: installerProgram('os-2') }))
      await then.runsFrom('srv-1', 'Hdd', minutes(40))
    }))

  it('T-82 an installer that reports nothing is understood by its restart, and its disk is booted', () =>
    story(async ({ when, then, boots }) => {
      await when.claims('c1', { image: 'quiet:1' })
      await then.server('srv-1', minutes(30), { boot: { outcome: 'Installed' } as never })
      expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'Hdd'])
    }))

  it('T-82 an installer whose restart ends in the EFI shell is answered once, with its disk armed', () =>
    story(
      async ({ when, then, boots, happened }) => {
        await when.claims('c1', { image: 'quiet:1' })
        await then.runsFrom('srv-1', 'Hdd', minutes(40))
        expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'UefiShell', 'Hdd'])
        expect(happened('srv-1').filter(({ what }) => what === 'installed')).toHaveLength(1)
        await then.server('srv-1', minutes(2), { boot: { outcome: 'Installed', cycled: true } as never })
      },
      { prepare: shellFirst },
    ))

  it('T-82 an installer that reports its end finds its disk armed, where the EFI shell stands first', () =>
    story(
      async ({ when, then, boots }) => {
        await when.claims('c1')
        await then.runsFrom('srv-1', 'Hdd', minutes(40))
        expect(boots('srv-1')).toEqual(['Pxe', 'UefiHttp', 'Hdd'])
      },
      { prepare: shellFirst },
    ))

  it('BP-075 T-24 with boot Network boots from the network each time, each time with another ticket', () =>
    story(async ({ when, then, happened }) => {
      await when.claims('c1', { image: 'live:1', bootPolicy: { firstBoot: 'UefiHttp', boot: 'Network' } })
      await then.server('srv-1', minutes(20), { boot: { outcome: 'Started' } as never })
      await when.wantsPower('c1', 'Off')
      await then.server('srv-1', minutes(5), { powerState: 'Off' })
      await when.wantsPower('c1', 'On')
      await then.server('srv-1', minutes(20), { boot: { attempt: 3, outcome: 'Started' } as never })
      const urls = happened('srv-1').flatMap(event => (event.what === 'boots' && event.url !== undefined ? [event.url] : []))
      expect(urls).toHaveLength(2)
      expect(new Set(urls).size).toBe(2)
    }))

  it('X-039 BP-045 what its owner takes back before the first boot is taken back for the boot as well, field by field', () =>
    story(async ({ when, then, world, configuration }) => {
      const policy = { firstBoot: 'UefiHttp', boot: 'Hdd' }
      const says = async (spec: object): Promise<void> => {
        await world.kube.patch(claims, { name: 'c1', namespace: 'default' }, { merge: { spec } })
        await when.passes(minutes(1))
      }
      const bootPolicy = { ...policy, unexpectedBoot: 'Disk', provisionedWhen: 'BootReported' }
      await when.claims('c1', { power: 'Off', ignitionSecretRef: { name: 'my-ignition-secret' }, bootPolicy })
      await then.claim('c1', minutes(2), ({ status }) => status?.phase === 'Bound', 'is bound')
      expect((await configuration('c1'))?.spec).toMatchObject({ ignitionSecretRef: { name: 'my-ignition-secret' }, bootPolicy })
      await says({ bootPolicy: { unexpectedBoot: null } })
      expect((await configuration('c1'))?.spec.bootPolicy).toEqual({ ...policy, provisionedWhen: 'BootReported' })
      await says({ bootPolicy: { provisionedWhen: 'PowerOn' } })
      expect((await configuration('c1'))?.spec.bootPolicy).toEqual({ ...policy, provisionedWhen: 'PowerOn' })
      await says({ ignitionSecretRef: null, image: 'my-osimage:latest', bootPolicy: null })
      const { spec, metadata } = (await configuration('c1'))!
      expect(spec).toEqual({ serverRef: { name: 'srv-1-system-0' }, image: 'my-osimage:latest' })
      await when.passes(minutes(10))
      expect((await configuration('c1'))?.metadata.generation).toBe(metadata.generation)
    }))

  it('X-039 I25 what was installed a moment ago is not said to be something else, although nobody has heard of it yet', () =>
    story(async ({ when, then, world, configuration }) => {
      await when.claims('c1')
      await then.server('srv-1', minutes(60), { boot: { step: 'Ended', outcome: 'Installed' } as never })
      const before = await configuration('c1')
      const object = await world.kube.get(claims, { name: 'c1', namespace: 'default' })
      const kube = { ...world.kube, fresh: world.kube.find.bind(world.kube) } as unknown as ControllerKube
      const { perform } = serverClaimController({ kube, images: { inspect: async () => Promise.reject(new Error('nobody asks')) } })
      const edited = { ...object, spec: { ...object.spec, image: 'my-osimage:another' } }
      const said = perform.updateConfiguration.run({ do: 'updateConfiguration' }, {
        object: edited,
        signal: new AbortController().signal,
      } as never)
      await expect(said).rejects.toMatchObject({ code: 'claim/installed-meanwhile' })
      expect((await configuration('c1'))?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion)
    }))

  it('T-13 with an annotation that nobody understands is not booted, and says why', () =>
    story(async ({ when, then, world, boots }) => {
      await when.claims('c1', { power: 'Off' })
      await then.claim('c1', minutes(2), ({ status }) => status?.phase === 'Bound', 'is bound')
      const configurations = { group: 'metal.ironcore.dev', version: 'v1alpha1', plural: 'serverbootconfigurations', namespaced: true }
      const annotations = { 'metal.ironcore.dev/provisioned': 'perhaps' }
      await world.kube.patch(configurations, { name: 'c1', namespace: 'default' }, { merge: { metadata: { annotations } } })
      await when.wantsPower('c1', 'On')
      await when.passes(minutes(30))
      expect(boots('srv-1')).toEqual(['Pxe'])
      const [said] = world.running
        .history({ ...configurations, plural: 'servers', namespaced: false }, { name: 'srv-1-system-0' })
        .slice(-1)
      expect(said?.because).toContain('"perhaps", neither "true" nor "false"')
    }))

  it('X-011 I3 two claims for one server: one has it, the other says why not, and has it when the first goes', () =>
    story(async ({ when, then, happened }) => {
      await when.claims('c1')
      await when.claims('c2')
      await when.passes(minutes(20))
      const winner = await then.claim('c1', minutes(1), ({ status }) => status !== undefined, 'has a status')
      const [first, second] = winner.status?.phase === 'Bound' ? ['c1', 'c2'] : ['c2', 'c1']
      const waits = await then.claim(second, minutes(1), ({ status }) => status?.phase === 'Unbound', 'waits')
      expect(waits.status?.conditions).toContainEqual(expect.objectContaining({ message: '0 of 1 servers fit: 1 is claimed' }))
      await when.removes(first)
      await then.isProvisioned(second, minutes(30))
      await then.server('srv-1', minutes(15), { boot: { outcome: 'Installed' } as never })
      expect(happened('srv-1').filter(({ what }) => what === 'installed')).toHaveLength(2)
    }))
})
