import pc from 'picocolors'
import { describe, expect, it } from 'vitest'
import { hostPower } from '../../src/cli/host-power.ts'
import { changesOf } from '../../src/cli/live/changes.ts'
import { hostTable } from '../../src/cli/output/hosts.ts'
import { lifeOf } from '../../src/cli/timeline/host.ts'
import { renderMoments } from '../../src/cli/timeline/render.ts'
import { whyHost } from '../../src/cli/why/host.ts'
import type { HostFirmware } from '../../src/cli/why/host-firmware.ts'
import { renderChain } from '../../src/cli/why/render.ts'
import type { Agent } from '../../src/controllers/assisted/resources.ts'
import type { BareMetalHost, DataImage } from '../../src/controllers/metal3/resources.ts'
import { ago, condition, made, now } from './objects.ts'

const plain = pc.createColors(false)
const host = (status: object = {}, more: { spec?: object; annotations?: Record<string, string> } = {}): BareMetalHost =>
  ({
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'BareMetalHost',
    metadata: { name: 'h1', namespace: 'metal3', uid: 'uid-h1', creationTimestamp: made, annotations: more.annotations ?? {} },
    spec: {
      online: true,
      automatedCleaningMode: 'metadata',
      bmc: { address: 'redfish://10.0.0.2', credentialsName: 'h1-bmc' },
      ...more.spec,
    },
    status: { operationalStatus: 'OK', errorMessage: '', errorCount: 0, poweredOn: false, lastUpdated: made, ...status },
  }) as unknown as BareMetalHost
const at = (state: string, more: object = {}) => ({ provisioning: { state, ID: '' }, ...more })
const why = (of: BareMetalHost, disc?: DataImage): string => renderChain(whyHost(of, { disc }), now, plain)
const disc = (status: object, metadata: object = {}): DataImage =>
  ({
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'DataImage',
    metadata: { name: 'h1', namespace: 'metal3', ...metadata },
    spec: { url: 'https://a/config.iso' },
    status,
  }) as unknown as DataImage

describe('why <host> with a DataImage', () => {
  const waits = {
    conditions: [condition('Attached', 'False', 'WaitsForRestart', 'it is attached at the next restart or power-on of its host')],
  }
  const error = { count: 2, message: 'the drive stays empty after a minute' }
  it.each<[string, BareMetalHost, DataImage, readonly string[]]>([
    [
      'that waits for a restart',
      host(at('provisioned', { poweredOn: true })),
      disc(waits),
      ['DataImage metal3/h1 https://a/config.iso: it is attached at the next restart', 'rackwright power h1 cycle -n metal3'],
    ],
    ['that waits for being switched on', host(at('provisioned')), disc(waits), ['rackwright power h1 on -n metal3']],
    [
      'that the host waits for',
      host(
        at('provisioned', {
          conditions: [condition('Progressing', 'True', 'Waiting', 'waits for its DataImage to be attached or taken out')],
        }),
      ),
      disc({ error, conditions: [condition('Attached', 'False', 'UnderWay', 'https://a/config.iso is put into a drive')] }),
      [
        'Waiting waits for its DataImage',
        'is put into a drive (failed 2 times: the drive stays empty after a minute)',
        'it goes on by itself',
      ],
    ],
    [
      'that no drive can take',
      host(at('provisioned')),
      disc({
        conditions: [
          condition('Accepted', 'False', 'NoVirtualMedia', ''),
          condition('Attached', 'False', 'NoVirtualMedia', 'it has no virtual drive'),
        ],
      }),
      ['it has no virtual drive', 'rackwright media eject h1 -n metal3'],
    ],
    [
      'that goes',
      host(at('provisioned', { poweredOn: true })),
      disc(
        {
          attachedImage: { url: 'https://a/old.iso' },
          conditions: [condition('Attached', 'False', 'WaitsForRestart', 'it is taken out at the next restart')],
        },
        { deletionTimestamp: made },
      ),
      ['https://a/old.iso: it is taken out at the next restart', 'power h1 cycle'],
    ],
    [
      'that is in',
      host(at('provisioned', { provisioning: { state: 'provisioned', image: { url: 'https://a/b' } } })),
      disc({ attachedImage: { url: 'https://a/config.iso' }, conditions: [condition('Attached', 'True', 'Attached', '')] }),
      ['installed with https://a/b; it finds https://a/config.iso in a drive'],
    ],
  ])('%s', (_, of, image, words) => {
    for (const word of words) expect(why(of, image)).toContain(word)
  })
})

describe('why <host> of an InfraEnv', () => {
  const engine = { work: 'deploy', attempt: 3, step: 'command', stage: 'agent', since: made }
  const waiting = (reason: string, message: string, state = 'provisioning') =>
    host(
      at(state, {
        poweredOn: true,
        engine,
        conditions: [condition('Progressing', 'True', 'Provisioning', ''), condition('Assisted', 'False', reason, message)],
      }),
    )
  const agentOf = (spec: object) => ({ metadata: { name: 'a-1', namespace: 'metal3' }, spec }) as unknown as Agent
  const told = (of: BareMetalHost, agent?: Agent): string => renderChain(whyHost(of, { agent }), now, plain)
  it.each<[string, string, Agent | undefined, readonly string[]]>([
    [
      'WaitingForPerson',
      'its agent waits for somebody to say which cluster it joins',
      agentOf({ approved: true }),
      [
        'is provisioning, on with its ramdisk',
        'Assisted its agent waits for somebody to say which cluster it joins',
        'Who must act: a person who says which cluster its Agent joins',
        `kubectl -n metal3 patch agent a-1 --type merge -p '{"spec":{"clusterDeploymentName":{"name":"<cluster>","namespace":"metal3"}}}'`,
      ],
    ],
    [
      'WaitingForPerson',
      'its agent waits for its cluster to be installed (not enough hosts)',
      agentOf({ approved: true, clusterDeploymentName: { name: 'edge', namespace: 'clusters' } }),
      ['not enough hosts', 'begins the installation of cluster clusters/edge', 'describe agent a-1'],
    ],
    [
      'WaitingForApproval',
      'its agent waits to be approved',
      agentOf({}),
      ['a person who approves of its Agent', `patch agent a-1 --type merge -p '{"spec":{"approved":true}}'`],
    ],
    ['WaitingForApproval', 'its agent waits to be approved', undefined, ['kubectl -n metal3 get agents']],
    ['WaitingForAgent', 'it is being booted', undefined, ['nobody', 'rackwright timeline host/h1']],
    ['Installing', 'its agent: Writing image to disk', agentOf({}), ['Writing image to disk', 'it goes on by itself']],
    ['TooLittleMemory', 'it has 2048 MiB of memory', undefined, ['2048 MiB', 'edit bmh h1']],
  ])('that says %s: %s', (reason, message, agent, words) => {
    for (const word of words) expect(told(waiting(reason, message), agent)).toContain(word)
  })
  it('says what else it does where it waits for nobody of them', () =>
    expect(told(waiting('NotYet', 'the host is inspecting', 'inspecting'))).toContain('deploy, try 3 has come to command'))
})

describe('why <host>', () => {
  it.each<[string, BareMetalHost, readonly string[]]>([
    ['nothing was decided yet', host({ lastUpdated: undefined }), ['is new', 'was decided yet']],
    ['unmanaged', host(at('unmanaged')), ['its management controller is not named', 'edit bmh h1']],
    ['available', host(at('available')), ['an image may be given to it']],
    ['available and not online', host(at('available'), { spec: { online: false } }), ['online must be true']],
    [
      'paused',
      host(at('available'), { annotations: { 'baremetalhost.metal3.io/paused': 'x' } }),
      ['annotate bmh h1 baremetalhost.metal3.io/paused-'],
    ],
    ['detached', host(at('provisioned', { operationalStatus: 'detached' })), ['left alone', 'baremetalhost.metal3.io/detached-']],
    [
      'not accepted',
      host(at('available', { conditions: [condition('Accepted', 'False', 'OwnedByOther', 'Server s1 has the same machine')] })),
      ['Accepted Server s1 has the same machine', 'Who must act: you'],
    ],
    [
      'no credentials',
      host(at('registering', { errorType: 'registration error', errorMessage: 'Secret h1-bmc is not there', errorCount: 3 })),
      ['registration error Secret h1-bmc is not there (3 times)', 'edit secret h1-bmc'],
    ],
    [
      'given up',
      host(
        at('available', {
          conditions: [condition('AvailableForProvisioning', 'False', 'TooManyFailures', 'installing it failed 5 times')],
        }),
      ),
      ['failed 5 times', 'Who must act: whoever made the image'],
    ],
    [
      'waiting for its turn',
      host(at('provisioning', { conditions: [condition('Progressing', 'True', 'Waiting', 'waits for its turn')] })),
      ['Waiting waits for its turn', 'it goes on by itself'],
    ],
    [
      'at work',
      host(
        at('provisioning', {
          conditions: [condition('Progressing', 'True', 'Provisioning', '')],
          engine: { work: 'deploy', attempt: 2, step: 'insert', since: ago(30) },
        }),
      ),
      ['deploy, try 2 has come to insert (for 30s)', 'rackwright timeline host/h1'],
    ],
    [
      'its BIOS being written',
      host(
        at('preparing', {
          conditions: [condition('Progressing', 'True', 'Preparing', '')],
          engine: {
            work: 'prepare',
            attempt: 2,
            step: 'update',
            since: ago(30),
            update: { component: 'bios', url: 'u', before: '1.0', percent: 40 },
          },
        }),
      ),
      ['prepare, try 2 writes bios (it had 1.0, 40 % when it last came further), and has come to update'],
    ],
    [
      'its settings being set while it is serviced',
      host(
        at('provisioned', {
          operationalStatus: 'servicing',
          engine: { work: 'service', attempt: 3, step: 'switchOn', since: ago(30), asked: ['BootDelay'] },
        }),
      ),
      ['servicing sets BootDelay, and has come to switchOn (for 30s)', 'it goes on by itself'],
    ],
    [
      'firmware that could not be written',
      host(at('preparing', { errorType: 'preparation error', errorMessage: 'bios is stuck', errorCount: 2 })),
      ['preparation error bios is stuck (2 times)', 'whoever wants its firmware so'],
    ],
    ['held off', host(at('provisioned'), { annotations: { 'reboot.metal3.io/me': '' } }), ['annotation reboot.metal3.io/me holds it off']],
    [
      'provisioned',
      host(at('provisioned', { provisioning: { state: 'provisioned', image: { url: 'https://a/b' } } })),
      ['installed with https://a/b'],
    ],
  ])('%s', (_, of, says) => {
    for (const words of says) expect(why(of)).toContain(words)
  })
})

describe('why <host> with a wish for its firmware', () => {
  const settings = (...conditions: readonly object[]) => ({
    kind: 'HostFirmwareSettings',
    metadata: { name: 'h1' },
    status: { conditions },
  })
  const chain = (firmware: object): string => renderChain(whyHost(host(at('provisioned')), firmware as HostFirmware), now, plain)
  const changed = condition('ChangeDetected', 'True', 'Success', 'not as wanted: BootDelay')
  it.each<[string, object, readonly string[]]>([
    [
      'at its next restart',
      { settings: settings(changed), policy: { spec: { firmwareSettings: 'onReboot' } } },
      ['not as wanted: BootDelay; that waits for its next restart', 'rackwright power host/h1 cycle'],
    ],
    ['without a policy', { settings: settings(changed) }, ['waits until it is prepared again', 'edit hostupdatepolicy h1']],
    [
      'that cannot be',
      { settings: settings(changed, condition('Valid', 'False', 'ConfigurationError', 'BootDelay is read-only')) },
      ['cannot be brought about: BootDelay is read-only', 'edit hostfirmwaresettings h1'],
    ],
  ])('%s', (_, firmware, says) => {
    for (const words of says) expect(chain(firmware)).toContain(words)
  })
})

describe('a host elsewhere', () => {
  it('in the table', () =>
    expect(
      hostTable(
        [host(at('provisioned', { poweredOn: true, provisioning: { state: 'provisioned', image: { url: 'https://a/b' } } }))],
        now,
        plain,
      ),
    ).toMatch(/metal3\/h1 .* On +provisioned +- +https:\/\/a\/b/))
  it('with its error in the table', () =>
    expect(hostTable([host(at('registering', { errorType: 'registration error' }))], now, plain)).toContain(
      'registering: registration error',
    ))
  it('in what changed', () => {
    const fleet = (...hosts: readonly BareMetalHost[]) => ({ servers: [], claims: [], configurations: [], hosts })
    expect(changesOf(fleet(host(at('available'))), fleet(host(at('provisioning'))))).toEqual(['host h1: available → provisioning'])
    expect(
      changesOf(fleet(host(at('registering'))), fleet(host(at('registering', { errorType: 'registration error', errorMessage: 'no' })))),
    ).toEqual(['host h1: no'])
  })
  it('as a timeline, with what was told and what took how long', () => {
    const history = { inspect: { start: ago(60), end: ago(40) }, deprovision: { start: null, end: null } }
    const events = [{ at: ago(60), type: 'Normal', reason: 'inspecting', message: 'registering → inspecting', times: 1 }]
    const text = renderMoments('metal3/h1', lifeOf(host(at('available', { operationHistory: history })), events), plain)
    expect(text.split('\n')).toEqual([
      'metal3/h1',
      expect.stringContaining('inspecting  registering → inspecting'),
      expect.stringContaining('it is inspected, which took 20 s'),
    ])
  })
  it.each([
    ['on', { spec: { online: true } }],
    ['off', { spec: { online: false } }],
    ['cycle', { metadata: { annotations: { 'reboot.metal3.io': '' } } }],
  ])('power %s', async (to, merge) => {
    const patched: unknown[] = []
    await hostPower({ patch: async (_, __, patch) => void patched.push(patch) as never }, host(), to)
    expect(patched).toEqual([{ merge }])
  })
  it('power off is refused where it is never to be off', () =>
    expect(hostPower({ patch: async () => undefined as never }, host({}, { spec: { disablePowerOff: true } }), 'off')).rejects.toThrow(
      'disablePowerOff',
    ))
})
