import { describe, expect, it } from 'vitest'
import { effectivePolicy } from '../../../policy/boot/policy.ts'
import { decide } from './decide.ts'
import type { Seen, SeenServer } from './seen.ts'

const free: SeenServer = {
  name: 'srv-1',
  state: 'Available',
  deleting: false,
  updater: undefined,
  holder: 'nobody',
  configurationNamed: false,
  claim: undefined,
}
const held: SeenServer = { ...free, state: 'Maintenance', holder: 'us' }
const claim = { namespace: 'team', name: 'c1', asked: false, approved: false, wantedByOthers: false }
const claimed: SeenServer = { ...free, state: 'Reserved', claim }
const boot = { configuration: 'work-boot', image: 'fw:uki', policy: effectivePolicy({ firstBoot: 'UefiHttp' }) }
const uki = { is: 'read', architecture: 'x86_64', architectures: ['x86_64'], roles: ['uki'] } as const
const current = { ours: true, current: true, problem: undefined }

interface Given extends Partial<Omit<Seen, 'maintenance'>> {
  readonly maintenance?: Partial<Seen['maintenance']>
}
const seen = ({ maintenance, ...rest }: Given = {}): Seen => ({
  maintenance: {
    name: 'work',
    namespace: 'ops',
    deleting: false,
    enforced: false,
    server: 'srv-1',
    boot,
    templateServer: undefined,
    ...maintenance,
  },
  server: free,
  next: { name: 'work', us: true },
  image: uki,
  configuration: undefined,
  ...rest,
})

describe('decide()', () => {
  const rows: readonly (readonly [reason: string, given: Seen, verbs: readonly string[], because: string])[] = [
    ['takes a free server', seen(), ['take'], 'takes server srv-1'],
    ['BP-063 makes its own configuration once it holds the server', seen({ server: held }), ['createConfiguration'], 'meanwhile'],
    ['X-010 names the configuration to the server', seen({ server: held, configuration: current }), ['nameConfiguration'], 'what to boot'],
    ['rests while the work is done', seen({ server: { ...held, configurationNamed: true }, configuration: current }), [], 'holds server'],
    ['T-26 boots nothing without a template', seen({ server: held, maintenance: { boot: undefined } }), [], 'holds server srv-1'],
    ['asks the owner of a claimed server', seen({ server: claimed }), ['askOwner'], 'waits for the owner of claim team/c1'],
    ['asks once', seen({ server: { ...claimed, claim: { ...claim, asked: true } } }), [], 'waits for the owner of claim team/c1'],
    [
      'takes a claimed server when its owner agrees',
      seen({ server: { ...claimed, claim: { ...claim, approved: true } } }),
      ['take'],
      'takes',
    ],
    ['does not ask where it is enforced', seen({ server: claimed, maintenance: { enforced: true } }), ['take'], 'takes server srv-1'],
    ['X-012 lets the first of the queue go first', seen({ next: { name: 'other', us: false } }), [], 'maintenance other goes first'],
    ['X-012 waits while another holds the server', seen({ server: { ...free, holder: { name: 'ops/other' } } }), [], 'ops/other holds'],
    ['waits for a server that is not known yet', seen({ server: { ...free, state: 'Discovery' } }), [], 'has not been discovered yet'],
    ['I23 waits for a parked server', seen({ server: { ...free, state: 'Parked' } }), [], 'rackwright unpark srv-1'],
    ['I23 waits for a server that is given back', seen({ server: { ...free, state: 'Released' } }), [], 'when it is Available'],
    ['says that there is no such server', seen({ server: undefined }), [], 'there is no server srv-1'],
    ['X-013 refuses a template for another server', seen({ maintenance: { templateServer: 'srv-2' } }), [], 'for server srv-2'],
    [
      'never touches a configuration of somebody else',
      seen({ server: held, configuration: { ...current, ours: false } }),
      [],
      'somebody else',
    ],
    [
      'says anew what is booted',
      seen({ server: held, configuration: { ...current, current: false } }),
      ['updateConfiguration'],
      'meanwhile',
    ],
    ['BP-066 waits until the server has let go', seen({ server: held, maintenance: { deleting: true } }), [], 'let go of it'],
    ['BP-066 goes when nothing refers to it', seen({ maintenance: { deleting: true } }), ['release'], 'nothing refers to it'],
    [
      'takes the question back with it',
      seen({ server: { ...claimed, claim: { ...claim, asked: true } }, maintenance: { deleting: true } }),
      ['thankOwner'],
      'need not wait',
    ],
    [
      'leaves the approval to the others that need it',
      seen({ server: { ...claimed, claim: { ...claim, asked: true, wantedByOthers: true } }, maintenance: { deleting: true } }),
      ['release'],
      'nothing refers to it',
    ],
  ]
  for (const [reason, given, verbs, because] of rows)
    it(reason, () => {
      const plan = decide(given)
      expect(plan.actions.map(action => action.do)).toEqual(verbs)
      expect(plan.because).toContain(because)
    })

  it('BP-023 BP-026 BP-027 an image without its artefact: a warning on the maintenance, and nothing is taken or made', () => {
    for (const server of [free, held]) {
      const plan = decide(seen({ server, image: { ...uki, roles: ['kernel', 'initramfs'] } }))
      expect(plan.actions).toEqual([])
      expect(plan.status.conditions).toContainEqual(
        expect.objectContaining({ type: 'ImageValid', status: 'False', reason: 'MissingArtifact' }),
      )
      expect(plan.events).toMatchObject([{ type: 'Warning', reason: 'MissingArtifact' }])
    }
  })
  it('a configuration that cannot be booted fails the maintenance in its words', () => {
    const problem = 'the server cannot boot work-boot: the registry is away'
    const plan = decide(seen({ server: { ...held, configurationNamed: true }, configuration: { ...current, problem } }))
    expect(plan).toMatchObject({ because: problem, actions: [], status: { state: 'Failed' } })
  })
})
