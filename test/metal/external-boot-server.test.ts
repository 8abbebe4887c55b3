import { describe, expect, it } from 'vitest'
import { configurations } from '../../src/controllers/metal/resources.ts'
import { minutes } from '../../src/core/duration.ts'
import { simImage } from '../../src/sim/images/demo.ts'
import { story, type Words } from './story.ts'

const address = 'https://boot.elsewhere/os-1.efi'
const uki = simImage('elsewhere', '1', { uki: ['install os-1', 'reboot', 'disk'] }).content.amd64?.uki
const external = {
  server: { servesBoots: false },
  files: new Map([[address, uki!]]),
  /** Shell, disk, network: what nobody commands stops in the shell. */
  prepare(rack: Words['world']['rack']) {
    rack.machine('srv-1').order = ['Boot0000', 'Boot0001', 'Boot0002']
  },
}
/** What another boot operator writes, and nothing else. */
const says = (words: Words, status: object) =>
  words.world.kube.patch(configurations, { name: 'c1', namespace: 'default' }, { merge: { status } }, { subresource: 'status' })

describe('with bootServer external', () => {
  it('T-07 T-11 BP-030 a server boots once from where another boot operator says, and from its disk at the next commanded boot', () =>
    story(async words => {
      const { when, then, boots, happened, configuration, condition } = words
      await when.claims('c1')
      await when.passes(minutes(30))
      expect((await configuration('c1'))?.status?.state, 'it is left to that one').toBeUndefined()
      expect(boots('srv-1')).toEqual(['Pxe'])
      await says(words, { state: 'Ready', httpBootURI: address })
      await then.isProvisioned('c1', minutes(10))
      await when.passes(minutes(30))
      expect((await configuration('c1'))?.status).toMatchObject({ state: 'Ready', httpBootURI: address })
      expect(happened('srv-1').flatMap(event => (event.what === 'boots' && event.url !== undefined ? [event.url] : []))).toEqual([address])
      expect(happened('srv-1').filter(({ what }) => what === 'installed')).toHaveLength(1)
      expect(await condition('srv-1', 'BootOverrideHonoured')).not.toMatchObject({ status: 'False' })
      await when.wantsPower('c1', 'Off')
      await then.server('srv-1', minutes(10), { powerState: 'Off' })
      await when.wantsPower('c1', 'On')
      await then.runsFrom('srv-1', 'Hdd', minutes(15))
      expect(boots('srv-1').filter(from => from === 'UefiHttp')).toHaveLength(1)
    }, external))

  it('T-15 BP-031 is armed without an address where that one gives none', () =>
    story(async words => {
      const { when, then, world } = words
      await when.claims('c1')
      await when.passes(minutes(1))
      world.calls.length = 0
      await says(words, { state: 'Ready' })
      await then.server('srv-1', minutes(5), { boot: { purpose: 'Claim', step: 'Running' } as never })
      const told = world.calls.find(({ method }) => method === 'PATCH')?.body as { readonly Boot: object }
      expect(told.Boot).toMatchObject({ BootSourceOverrideTarget: 'UefiHttp' })
      expect(JSON.stringify(told)).not.toContain('https://')
    }, external))
})
