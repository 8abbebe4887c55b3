import { describe, expect, it } from 'vitest'
import { exampleStream } from './fixture.ts'
import { judge, type Verdict } from './judge.ts'
import { platformOf, platformOfTemplate, platforms } from './platforms/index.ts'
import type { Api, MachineSpec } from './platforms/platform.ts'
import { imagesFor, readStream } from './stream.ts'

interface Circumstances {
  readonly api?: Api
  readonly architecture?: string
  readonly named?: readonly string[]
}
function verdict(type: string, spec: MachineSpec, { api = 'mapi', architecture = 'x86_64', named = [] }: Circumstances = {}): Verdict {
  const images = imagesFor({ name: 'rhel-9.6', architectures: exampleStream.architectures, named: [] }, architecture)
  return judge(platformOf(type)!, spec, images!, { api, architecture, named: new Set(named) })
}
const newGcp = 'projects/rhcos-cloud/global/images/rhcos-9-6-20260420-0-gcp-x86-64'
const oldGcp = 'projects/rhcos-cloud/global/images/rhcos-9-4-x'

describe('BI-030 BI-050 BI-051 BI-104 a platform reads, places, resolves and writes', () => {
  const outdated: readonly (readonly [reason: string, type: string, spec: MachineSpec, more: Circumstances, written: MachineSpec])[] = [
    [
      'BI-032 UP-BI-09 GCP: boot disks alone',
      'GCP',
      {
        zone: 'a',
        disks: [
          { boot: true, image: oldGcp },
          { boot: false, image: 'keep-me' },
        ],
      },
      {},
      {
        zone: 'a',
        disks: [
          { boot: true, image: newGcp },
          { boot: false, image: 'keep-me' },
        ],
      },
    ],
    ['BI-055 GCP on Cluster API', 'GCP', { image: oldGcp, subnet: 's' }, { api: 'capi' }, { image: newGcp, subnet: 's' }],
    [
      'BI-029 GCP on another architecture',
      'GCP',
      { disks: [{ boot: true, image: oldGcp }] },
      { architecture: 'aarch64' },
      { disks: [{ boot: true, image: 'projects/rhcos-cloud/global/images/rhcos-9-6-20260420-0-gcp-aarch64' }] },
    ],
    [
      'UP-BI-10 AWS: by region; the way to name an image is replaced as a whole',
      'AWS',
      { ami: { id: 'ami-old', filters: [] }, placement: { region: 'eu-west-1' } },
      { named: ['ami-old'] },
      { ami: { id: 'ami-new-eu' }, placement: { region: 'eu-west-1' } },
    ],
    [
      'Alibaba Cloud: by region',
      'AlibabaCloud',
      { imageId: 'm-old', regionId: 'cn-hangzhou' },
      { named: ['m-old'] },
      { imageId: 'm-new', regionId: 'cn-hangzhou' },
    ],
    [
      'UP-BI-13 Azure: an upload of the second generation moves to the free offer',
      'Azure',
      { image: { resourceID: '/rg/gen2/versions/1' } },
      {},
      {
        image: {
          publisher: 'azureopenshift',
          offer: 'aro4',
          sku: '422-v2',
          version: '9.6.20260420',
          resourceID: '',
          type: 'MarketplaceNoPlan',
        },
      },
    ],
    [
      'UP-BI-14 Azure: a paid offer stays in its own line',
      'Azure',
      { image: { publisher: 'redhat-limited', offer: 'rh-opp-worker', sku: 'rh-opp-worker-gen1', version: '9.4' } },
      {},
      {
        image: {
          publisher: 'redhat-limited',
          offer: 'rh-opp-worker',
          sku: 'rh-opp-worker-gen1',
          version: '9.6.20260420',
          resourceID: '',
          type: 'MarketplaceWithPlan',
        },
      },
    ],
    [
      'bare metal: URL and checksum together',
      'BareMetal',
      { image: { url: 'https://img.example/old.raw.gz', checksum: 'cd34', format: 'raw' } },
      { named: ['https://img.example/old.raw.gz#cd34'] },
      { image: { url: 'https://img.example/metal.raw.gz', checksum: 'ab12', format: 'raw' } },
    ],
    ...(
      [
        ['OpenStack', (image: string) => ({ image })],
        ['Nutanix', (name: string) => ({ image: { type: 'name', name } })],
        ['VSphere', (template: string) => ({ template })],
        ['PowerVS', (name: string) => ({ image: { type: 'Name', name } })],
        ['IBMCloud', (image: string) => ({ image })],
        ['oVirt', (template_name: string) => ({ template_name })],
        ['Libvirt', (baseVolumeID: string) => ({ volume: { baseVolumeID } })],
      ] as const
    ).map(
      ([type, spec]) =>
        [`${type}: follows the release in the name`, type, spec('c1-rhcos-9.4.20250101-0'), {}, spec('c1-rhcos-9.6.20260420-0')] as const,
    ),
  ]
  for (const [reason, type, spec, more, written] of outdated)
    it(reason, () => {
      const found = verdict(type, spec, more)
      expect(found).toMatchObject({ is: 'outdated', spec: written })
      expect(verdict(type, written, more), 'what was written is current').toMatchObject({ is: 'current' })
    })

  const skipped: readonly (readonly [reason: string, type: string, spec: MachineSpec, more: Circumstances, why: string])[] = [
    [
      'X-023 GCP: an image of another project',
      'GCP',
      { disks: [{ boot: true, image: 'projects/mine/global/images/x' }] },
      {},
      'CustomImage',
    ],
    ['GCP: no disks at all', 'GCP', {}, {}, 'NoBootImage'],
    ['GCP: a stream without GCP', 'GCP', { disks: [{ boot: true, image: oldGcp }] }, { architecture: 's390x' }, 'NoImageInStream'],
    ['X-023 AWS: an AMI that nobody knows', 'AWS', { ami: { id: 'ami-mine' }, placement: { region: 'us-east-1' } }, {}, 'UnknownImage'],
    ['UP-BI-10 AWS: an AMI by filters', 'AWS', { ami: { filters: [] }, placement: { region: 'us-east-1' } }, {}, 'NoBootImage'],
    [
      'UP-BI-10 AWS: a region without images',
      'AWS',
      { ami: { id: 'a' }, placement: { region: 'moon-1' } },
      { named: ['a'] },
      'NoImageInStream',
    ],
    ['AWS: no region', 'AWS', { ami: { id: 'a' } }, { named: ['a'] }, 'NoRegion'],
    [
      'UP-BI-15 Azure: a confidential machine',
      'Azure',
      { image: {}, securityProfile: { settings: { securityType: 'ConfidentialVM' } } },
      {},
      'SecurityType',
    ],
    ['UP-BI-15 Azure: an architecture that it lacks', 'Azure', { image: {} }, { architecture: 's390x' }, 'NoImageInStream'],
    [
      'X-023 Azure: another publisher',
      'Azure',
      { image: { publisher: 'canonical', offer: 'u', sku: 's', version: '1' } },
      {},
      'CustomImage',
    ],
    [
      'Azure: a generation that the stream lacks',
      'Azure',
      { image: { publisher: 'redhat', offer: 'rh-ocp-worker', sku: 'rh-ocp-worker-gen1', version: '1' } },
      {},
      'NoImageInStream',
    ],
    ['bare metal: hosts that install themselves', 'BareMetal', { customDeploy: { method: 'install_coreos' } }, {}, 'FromRelease'],
    ['X-023 a name without a release', 'OpenStack', { image: 'my-golden-image' }, {}, 'CustomImage'],
    ['OpenStack: a stream without it', 'OpenStack', { image: 'c1-9.4.20250101-0' }, { architecture: 'aarch64' }, 'NoImageInStream'],
  ]
  for (const [reason, type, spec, more, why] of skipped)
    it(`${reason} is left alone, with a reason`, () => expect(verdict(type, spec, more)).toMatchObject({ is: 'skipped', reason: why }))

  it('nonsense in a spec is a reason, never a throw', () => {
    const odd: readonly unknown[] = [null, 7, 'x', [], { disks: 7 }, { image: [[]] }, { ami: null, placement: 'x' }, { __proto__: null }]
    for (const { type } of platforms)
      for (const spec of odd)
        for (const api of ['mapi', 'capi'] as const) expect(verdict(type, spec as MachineSpec, { api }).is).toBe('skipped')
  })
  it('BI-053 each kind of template belongs to one platform', () => {
    const kinds = platforms.flatMap(({ templates }) => templates)
    expect(new Set(kinds).size).toBe(kinds.length)
    expect(platformOfTemplate('GCPMachineTemplate')?.type).toBe('GCP')
    expect(platformOfTemplate('UnheardOfTemplate')).toBeUndefined()
  })
})

describe('readStream()', () => {
  const bad: readonly (readonly [reason: string, given: string | undefined, because: string])[] = [
    ['BI-038 a missing key', undefined, 'key "stream" is missing'],
    ['BI-038 no JSON', '{"architectures": ', 'not JSON'],
    ['BI-038 another shape', '{"architectures": []}', 'lists no architectures'],
    ['BI-038 nothing in it', '{"architectures": {}}', 'lists no architectures'],
  ]
  for (const [reason, given, because] of bad)
    it(`${reason} is said`, () => expect(readStream(given)).toMatchObject({ because: expect.stringContaining(because) }))
  it('reads a stream, and has nothing for an architecture that is not in it', () => {
    const read = readStream(JSON.stringify(exampleStream))
    if (!('stream' in read)) throw new Error(read.because)
    expect(imagesFor(read.stream, 'x86_64')?.from).toBe('rhel-9.6/x86_64')
    expect(imagesFor(read.stream, 'riscv64')).toBeUndefined()
    expect(imagesFor(read.stream, 'constructor')).toBeUndefined()
  })
})
