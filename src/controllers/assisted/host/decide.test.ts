import { describe, expect, it } from 'vitest'
import { decide } from './decide.ts'
import type { Seen, SeenAgent, SeenHost } from './seen.ts'

const host: SeenHost = {
  linked: 'edge',
  deleting: false,
  detachedBy: undefined,
  state: 'available',
  method: undefined,
  image: undefined,
  online: true,
  cleaning: 'metadata',
  inspectAnnotation: undefined,
  inspectionMode: undefined,
  external: false,
  memory: 65_536,
  booted: false,
  failed: undefined,
  givenUp: undefined,
  remembers: false,
  standing: undefined,
}
const mark = { uid: 'u', resourceVersion: '1' }
const uri = 'https://boot.example/discovery/1/config.ign?v=1'
const agent: SeenAgent = {
  ...mark,
  name: 'a',
  approved: true,
  hasCluster: false,
  stage: undefined,
  info: undefined,
  stateInfo: undefined,
  unbinding: false,
  lacks: undefined,
  wrong: undefined,
}
const image = { ...mark, name: 'worker-0', override: undefined, isBuilt: false }
const infraEnv = { name: 'edge', ignition: uri, iso: 'https://boot.example/live.iso', created: 0, because: undefined }
const seen = (more: Partial<Omit<Seen, 'host'>> = {}, of: Partial<SeenHost> = {}): Seen => ({
  flow: { is: 'converged', because: 'so' },
  infraEnv,
  image: undefined,
  agent: undefined,
  held: undefined,
  leastMemory: 4_096,
  ...more,
  host: { ...host, ...of },
})
const plan = (...given: Parameters<typeof seen>) => {
  const { actions, status } = decide(seen(...given), 120_000)
  return { actions, reason: status.conditions?.[0]?.reason, holds: status.conditions?.[0]?.status }
}
const asks = { do: 'change', merge: { spec: { customDeploy: { method: 'start_assisted_install' } } } }
const gives = { do: 'change', merge: { spec: { customDeploy: null } } }
const off = { is: 'live-iso', reason: 'VersionTooOld', because: 'it is old' } as const

describe('a host of an InfraEnv', () => {
  it('ZT-029 T-74 is asked to be installed by its agent once it is known what it is made of, and nothing else of it is changed', () => {
    expect(plan().actions).toEqual([asks])
    expect(plan({}, { state: 'preparing' }).actions).toEqual([asks])
  })
  it.each(['', 'registering', 'inspecting', 'provisioning', 'provisioned', 'deprovisioning', 'deleting'])(
    'BM-04 ZT-028 ZT-030 ZT-032 is not asked for anything while it is "%s"',
    state => expect(plan({}, { state }).actions).toEqual([]),
  )
  it('ZT-031 has its image pointed to its InfraEnv, in any state', () => {
    for (const state of ['inspecting', 'available', 'deprovisioning'])
      expect(plan({ image }, { state }).actions[0]).toEqual({ do: 'point', image, uri })
    expect(plan({ image: { ...image, override: uri } }, { state: 'inspecting' }).actions).toEqual([])
    expect(plan({ image }, { deleting: true, state: 'deprovisioning' }).actions, 'T-67 also when it goes').toEqual([
      { do: 'point', image, uri },
    ])
  })
  it('ZT-015 nothing but an address goes into the annotation', () =>
    expect(plan({ image }).actions[0]).toMatchObject({ uri: expect.stringMatching(/^https:\/\/\S+$/) }))
  it('ZT-035 BM-02 waits for its InfraEnv, and for that to say where its Ignition is', () => {
    expect(plan({ infraEnv: undefined, agent: { ...agent, lacks: { labels: {}, spec: {} } } })).toEqual({
      actions: [],
      reason: 'InfraEnvMissing',
      holds: 'False',
    })
    expect(plan({ infraEnv: { ...infraEnv, ignition: undefined, because: 'no' } })).toMatchObject({
      actions: [],
      reason: 'WaitingForIgnition',
    })
  })
  it('ZT-052 that has an image of its own is left to it', () =>
    expect(plan({}, { image: { url: 'x', format: 'live-iso' } })).toMatchObject({ actions: [], reason: 'OwnImage' }))
  it('that has another method of its own is left to it', () =>
    expect(plan({}, { method: 'install_coreos' })).toMatchObject({ actions: [], reason: 'OtherMethod' }))
  it('BM-04 BM-09 that is detached is left alone', () =>
    expect(plan({ image }, { detachedBy: 'me' })).toMatchObject({ actions: [], reason: 'Detached' }))
  it('ZT-046 with too little memory for two agents is not asked', () =>
    expect(plan({}, { memory: 2_048 })).toMatchObject({ actions: [], reason: 'TooLittleMemory' }))
  it('BM-02 without a label has no finalizer of ours to lose, and the words of before are taken back', () => {
    expect(plan({}, { linked: undefined })).toEqual({ actions: [], reason: undefined, holds: undefined })
    const standing = { type: 'Assisted', status: 'False', reason: 'x', message: '', lastTransitionTime: '' } as const
    expect(plan({}, { linked: undefined, standing })).toMatchObject({ reason: 'NotLinked' })
  })
  it('stands down where an assisted service is at work on it', () =>
    expect(plan({ held: 'it has a finalizer', image })).toEqual({ actions: [], reason: 'StandsDown', holds: 'False' }))
  it('BM-05 tells its Agent what it says, in one write', () => {
    const lacks = { labels: {}, spec: { approved: true } }
    expect(plan({ agent: { ...agent, lacks } }, { state: 'provisioning', method: 'start_assisted_install' }).actions).toEqual([
      { do: 'tell', agent: { ...agent, lacks }, patch: lacks },
    ])
  })
  it('BM-07 an Agent that cannot be told is not, and it is said why', () =>
    expect(plan({ agent: { ...agent, wrong: 'both' } }, { state: 'provisioning' })).toMatchObject({
      actions: [],
      reason: 'ConfigurationError',
    }))

  describe('BM-12 whose agent has left its cluster', () => {
    const unbinding = { agent: { ...agent, unbinding: true } }
    it.each([
      ['provisioned', 'start_assisted_install', [gives]],
      ['deprovisioning', undefined, []],
      ['available', undefined, [asks]],
    ] as const)('%s with %s', (state, method, wanted) => expect(plan(unbinding, { state, method }).actions).toEqual(wanted))
    it('is not detached any longer where the assisted service had detached it', () => {
      const of = { state: 'provisioned', method: 'start_assisted_install', detachedBy: 'assisted-service-controller' }
      expect(plan(unbinding, of).actions).toEqual([
        { do: 'change', merge: { metadata: { annotations: { 'baremetalhost.metal3.io/detached': null } }, spec: { customDeploy: null } } },
      ])
    })
  })

  describe('whose InfraEnv changes', () => {
    const old = { image: { ...image, override: 'before', isBuilt: true } }
    const method = 'start_assisted_install'
    it('is pointed to the new one where no machine runs from its image', () =>
      expect(plan(old, { method, state: 'available' }).actions).toEqual([{ do: 'point', ...old, uri }]))
    it('is tried again where it had failed too often', () =>
      expect(plan(old, { method, givenUp: 'failed 5 times' }).actions).toEqual([{ do: 'point', ...old, uri }, gives]))
    it('and only when its failures are forgotten', () => {
      expect(plan({}, { remembers: true }).actions).toEqual([])
      expect(plan({}, { method, givenUp: 'failed 5 times' })).toMatchObject({ actions: [], reason: 'Failed' })
    })
    it('begins anew while its agent only waits', () =>
      expect(plan(old, { method, booted: true, state: 'provisioning' })).toMatchObject({
        actions: [{ do: 'point' }, gives],
        reason: 'InfraEnvChanged',
      }))
    it('is not disturbed while its disk is written, nor while it is inspected or cleaned', () => {
      const installing = { agent: { ...agent, stage: 'Writing image to disk' } }
      expect(plan({ ...old, ...installing }, { method, booted: true, state: 'provisioning' }).actions).toEqual([])
      for (const state of ['inspecting', 'deprovisioning']) expect(plan(old, { booted: true, state }).actions).toEqual([])
    })
    it('T-67 is not disturbed either while it is cleaned from an image without any Ignition of others, also when it goes', () => {
      const plain = { image: { ...image, isBuilt: true } }
      for (const deleting of [false, true]) {
        expect(plan(plain, { booted: true, deleting, state: 'deprovisioning' }).actions).toEqual([])
        expect(plan(plain, { booted: false, deleting, state: 'deprovisioning' }).actions[0]).toMatchObject({ do: 'point' })
      }
    })
    it('has its image pointed while that is not built, whatever its machine does: nothing else would ever build it', () =>
      expect(plan({ image }, { booted: true, state: 'inspecting' }).actions[0]).toMatchObject({ do: 'point' }))
  })

  it.each([
    ['provisioned', {}, 'Installed', 'True'],
    ['provisioning', {}, 'WaitingForAgent', 'False'],
    ['provisioning', { agent }, 'WaitingForPerson', 'False'],
    ['inspecting', {}, 'NotYet', 'False'],
  ] as const)('T-70 says how far it is: %s', (state, more, reason, holds) =>
    expect(plan(more, { state, method: 'start_assisted_install' })).toMatchObject({ reason, holds }),
  )
  it('says what failed', () =>
    expect(plan({}, { state: 'provisioning', method: 'start_assisted_install', failed: 'it crashed' })).toMatchObject({ reason: 'Failed' }))
})

describe('where the converged flow is off or too old', () => {
  const image_ = { url: infraEnv.iso, format: 'live-iso' }
  const ready = { inspectAnnotation: 'disabled', cleaning: 'disabled' }
  const merge = (...given: Parameters<typeof plan>) => (plan(...given).actions[0] as { merge?: object } | undefined)?.merge
  it('BM-03 ZT-053 a host is neither inspected nor cleaned, in any state', () =>
    expect(merge({ flow: off }, { state: 'registering' })).toEqual({
      metadata: { annotations: { 'inspect.metal3.io': 'disabled' } },
      spec: { automatedCleaningMode: 'disabled' },
    }))
  it('BM-03 a host that says how it is inspected says that it is not: the annotation would contradict it', () =>
    expect(merge({ flow: off }, { inspectionMode: 'agent' })).toEqual({
      spec: { inspectionMode: 'disabled', automatedCleaningMode: 'disabled' },
    }))
  it('BM-03 ZT-053 it boots the disc of its InfraEnv, a minute after that was made', () => {
    expect(merge({ flow: off }, { ...ready, online: false })).toEqual({ spec: { image: image_, online: true } })
    const young = { flow: off, infraEnv: { ...infraEnv, created: 90_000 } }
    expect(decide(seen(young, ready), 120_000)).toMatchObject({ actions: [], again: 30_000 })
  })
  it('BM-03 another disc is put in by way of an empty drive', () => {
    expect(merge({ flow: off }, { ...ready, state: 'provisioned', image: { url: 'old', format: 'live-iso' } })).toEqual({
      spec: { image: null },
    })
    expect(plan({ flow: off }, { ...ready, state: 'provisioned', image: image_ })).toMatchObject({ actions: [], reason: 'VersionTooOld' })
  })
  it('BM-09 it is detached when its installer restarts it, and BM-12 given back when its agent leaves', () => {
    const stage = { agent: { ...agent, stage: 'Rebooting' } }
    expect(merge({ flow: off, ...stage }, { ...ready, image: image_ })).toEqual({
      metadata: { annotations: { 'baremetalhost.metal3.io/detached': 'assisted-service-controller' } },
    })
    expect(merge({ flow: off, agent: { ...agent, unbinding: true } }, { ...ready, image: image_, detachedBy: 'x' })).toEqual({
      metadata: { annotations: { 'baremetalhost.metal3.io/detached': null } },
      spec: { image: null },
    })
  })
  it('ZT-033 a host that asks for the new method itself is not changed, and told that nobody may build its image', () =>
    expect(plan({ flow: off }, { method: 'start_assisted_install', state: 'inspecting' })).toMatchObject({
      actions: [],
      reason: 'VersionTooOld',
    }))
  it('an image that is no live ISO is somebody’s own', () =>
    expect(plan({ flow: off }, { image: { url: 'x', format: 'qcow2' } }).actions).toEqual([]))
})
