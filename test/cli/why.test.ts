import pc from 'picocolors'
import { describe, expect, it } from 'vitest'
import type { Chain } from '../../src/cli/why/chain.ts'
import { whyClaim } from '../../src/cli/why/claim.ts'
import { renderChain } from '../../src/cli/why/render.ts'
import { type ServerFacts, whyServer } from '../../src/cli/why/server.ts'
import { ago, bmc, boot, claim, condition, configuration, now, server } from './objects.ts'

const plain = pc.createColors(false)
const text = (chain: Chain): string => renderChain(chain, now, plain)
const facts = (more: Partial<ServerFacts> & Pick<ServerFacts, 'server'>): ServerFacts => ({
  bmc: bmc(more.server.metadata.name, condition('Ready', 'True', 'Answered', '')),
  configuration: undefined,
  booting: undefined,
  ...more,
})
const claimed = { serverClaimRef: { namespace: 'default', name: 'c1' } }

describe('why <server>', () => {
  const cases: readonly (readonly [name: string, facts: ServerFacts, says: string])[] = [
    [
      'a free server waits for nothing',
      facts({ server: server('srv-1') }),
      'server srv-1 is Available, Off\n└─ nothing is waited for; a claim may take it',
    ],
    [
      'a cordoned server says so',
      facts({ server: server('srv-1', { unclaimable: true }) }),
      'server srv-1 is Available, Off\n└─ nothing is waited for; it is cordoned, so no claim takes it',
    ],
    [
      'a BMC that does not answer is the cause of everything behind it',
      facts({
        server: server('srv-1', claimed, { state: 'Reserved', boot: boot() }),
        bmc: bmc('srv-1', condition('Ready', 'False', 'BmcUnreachable', 'Cannot reach 10.0.0.14: ETIMEDOUT', 300)),
      }),
      [
        'server srv-1 is Reserved, Off, has claim default/c1',
        '└─ BMC srv-1 Cannot reach 10.0.0.14: ETIMEDOUT (for 5m)',
        'Who must act: whoever looks after the network or the power of the rack',
        'Try: rackwright doctor srv-1',
      ].join('\n'),
    ],
    [
      'a certificate that nobody trusts is shown with the command that trusts it',
      facts({ server: server('srv-1'), bmc: bmc('srv-1', condition('Ready', 'False', 'BmcUntrusted', 'its certificate is not trusted')) }),
      [
        'server srv-1 is Available, Off',
        '└─ BMC srv-1 its certificate is not trusted (for 60s)',
        'Who must act: you: say whether this is its certificate',
        'Try: rackwright bmc trust srv-1',
      ].join('\n'),
    ],
    [
      'BP-015 a boot that nobody commanded is resumed by a person',
      facts({
        server: server('srv-1', claimed, {
          state: 'Reserved',
          powerState: 'On',
          conditions: [condition('UnexpectedPowerTransition', 'True', 'PoweredOn', 'it was switched on at 00:08', 120)],
        }),
      }),
      [
        'server srv-1 is Reserved, On, has claim default/c1',
        '└─ UnexpectedPowerTransition it was switched on at 00:08 (for 2m)',
        'Who must act: you: nobody here commanded that boot',
        'Try: rackwright resume srv-1',
      ].join('\n'),
    ],
    [
      'an open boot says what was fetched so far, and when it is over',
      facts({
        server: server('srv-1', claimed, { state: 'Reserved', powerState: 'On', boot: boot() }),
        booting: configuration('c1', 'srv-1', {
          served: { attempt: 2, fetches: [{ what: 'uki', first: ago(30) }], reports: [{ state: 'Installed', time: ago(5) }] },
        }),
      }),
      [
        'server srv-1 is Reserved, On, has claim default/c1',
        '└─ boot 2, claim by UefiHttp the machine boots, installs or runs from it; it has fetched uki, it reported Installed (for 90s)',
        'Who must act: nobody: it goes on by itself, and is over at 2026-01-01T01:08:30Z whatever happens',
        'Try: rackwright timeline srv-1',
      ].join('\n'),
    ],
    [
      'evidence of an earlier boot does not count for this one',
      facts({
        server: server('srv-1', claimed, { state: 'Reserved', powerState: 'On', boot: boot() }),
        booting: configuration('c1', 'srv-1', { served: { attempt: 1, fetches: [{ what: 'uki', first: ago(30) }] } }),
      }),
      [
        'server srv-1 is Reserved, On, has claim default/c1',
        '└─ boot 2, claim by UefiHttp the machine boots, installs or runs from it; it has fetched nothing yet (for 90s)',
        'Who must act: nobody: it goes on by itself, and is over at 2026-01-01T01:08:30Z whatever happens',
        'Try: rackwright timeline srv-1',
      ].join('\n'),
    ],
    [
      'BP-032 an annotation that nobody can read holds the boot, and a person decides',
      facts({
        server: server('srv-1', claimed, { state: 'Reserved' }),
        configuration: configuration('c1', 'srv-1', { state: 'Ready' }, { 'metal.ironcore.dev/provisioned': 'maybe' }),
      }),
      [
        'server srv-1 is Reserved, Off, has claim default/c1',
        '└─ boot configuration default/c1 its annotation provisioned says "maybe", which is neither true nor false',
        'Who must act: you',
        'Try: rackwright adopt srv-1',
      ].join('\n'),
    ],
    [
      'an installed server waits for nothing',
      facts({
        server: server('srv-1', claimed, { state: 'Reserved', powerState: 'On' }),
        configuration: configuration('c1', 'srv-1', { state: 'Ready' }, { 'metal.ironcore.dev/provisioned': 'true' }),
      }),
      'server srv-1 is Reserved, On, has claim default/c1\n└─ nothing is waited for; it is installed and boots from its disk',
    ],
  ]
  for (const [name, given, says] of cases) it(name, () => expect(text(whyServer(given))).toBe(says))
})

describe('why <claim>', () => {
  it('BP-027 an image that does not fit is the cause, in the words of whoever found it', () => {
    const unfit = claim(
      'c1',
      {},
      { phase: 'Unbound', conditions: [condition('ImageValid', 'False', 'MissingArtifact', 'it needs uki; found kernel', 30)] },
    )
    expect(text(whyClaim({ claim: unfit, server: undefined }))).toBe(
      [
        'claim default/c1 has no server',
        '└─ image os:1 it needs uki; found kernel (for 30s)',
        'Who must act: whoever made the image, or you with another one',
        'Try: kubectl -n default edit serverclaim c1',
      ].join('\n'),
    )
  })
  it('a claim that no server fits counts why', () => {
    const waiting = claim(
      'c1',
      {},
      { phase: 'Unbound', conditions: [condition('Bound', 'False', 'NoServerFits', '0 of 12 servers fit: 12 are claimed', 30)] },
    )
    expect(text(whyClaim({ claim: waiting, server: undefined }))).toContain('└─ NoServerFits 0 of 12 servers fit: 12 are claimed (for 30s)')
  })
  it('a bound claim leads on to its server, and from there to the cause', () => {
    const bound = claim(
      'c1',
      { serverRef: { name: 'srv-1' } },
      { phase: 'Bound', conditions: [condition('Bound', 'True', 'ServerTaken', '', 100)] },
    )
    const silent = facts({
      server: server('srv-1', claimed, { state: 'Reserved' }),
      bmc: bmc('srv-1', condition('Ready', 'False', 'BmcUnauthorized', 'it refuses user admin', 50)),
    })
    expect(text(whyClaim({ claim: bound, server: silent }))).toBe(
      [
        'claim default/c1 has srv-1 (for 100s)',
        '└─ server srv-1 is Reserved, Off, has claim default/c1',
        '  └─ BMC srv-1 it refuses user admin (for 50s)',
        'Who must act: you: its user or password is another one',
        'Try: rackwright bmc password srv-1',
      ].join('\n'),
    )
  })
  it('a claim that is given back waits for its server', () => {
    const base = claim('c1', { serverRef: { name: 'srv-1' } }, { phase: 'Bound' })
    const going = { ...base, metadata: { ...base.metadata, deletionTimestamp: ago(20) } }
    const found = text(
      whyClaim({ claim: going, server: facts({ server: server('srv-1', claimed, { state: 'Released', powerState: 'PoweringOff' }) }) }),
    )
    expect(found).toContain(
      'claim default/c1 is being given back (for 20s)\n└─ server srv-1 is Released, PoweringOff, has claim default/c1',
    )
  })
})
