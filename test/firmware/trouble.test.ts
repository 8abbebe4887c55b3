import { afterEach, describe, expect, it } from 'vitest'
import { type JobRunner, jobRunners, jobs, serverBioses } from '../../src/controllers/firmware/resources.ts'
import { servers } from '../../src/controllers/metal/resources.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { type FirmwareWorld, firmwareWorld, manager, ownImage } from './world.ts'

let world: FirmwareWorld
const open = async (...given: Parameters<typeof firmwareWorld>): Promise<FirmwareWorld> => (world = await firmwareWorld(...given))
afterEach(() => world.stop())

const said = async (type: string, name = 'b1') => (await world.biosNow(name)).status?.conditions?.find(one => one.type === type)
const runner = (name: string, spec: object) =>
  world.kube.create(jobRunners, {
    apiVersion: 'metal.ironcore.dev/v1alpha1',
    kind: 'JobRunner',
    metadata: { name },
    spec: { image: ownImage, ...spec },
  } as unknown as JobRunner)

describe('X-017 a job that does not end well', () => {
  it('T-33 is seen, counted and tried again, later and later, when it failed', async () => {
    const { server, bios, biosNow, passes } = await open()
    const machine = await server('s1')
    // Four runs within each Job: the first, and three more that its runner allows.
    machine.script = [{ takes: 0 }, ...Array.from({ length: 8 }, () => ({ exit: 1, message: 'the BMC said no' }))]
    await bios('b1', 's1', { version: '2.0.0' })
    await passes(minutes(20))
    const ran = machine.ran.filter(program => program === 'bios-version-update').length
    expect(ran).toBe(9)
    expect((await biosNow('b1')).status?.bios?.version).toBe('2.0.0')
    expect((await biosNow('b1')).status?.trouble, 'over').toBeUndefined()
  })

  it('stops trying an update after five Jobs, keeps scanning, and tries again when asked', async () => {
    const { server, bios, biosNow, passes, kube } = await open()
    const machine = await server('s1')
    machine.scansWell = true
    machine.script = Array.from({ length: 100 }, () => ({ exit: 1, message: 'the BMC said no' }))
    await bios('b1', 's1', { version: '2.0.0' }, { scanPeriodMinutes: 30 })
    await passes(minutes(240))
    expect(machine.ran.filter(program => program === 'bios-version-update')).toHaveLength(20)
    const scans = machine.ran.slice(machine.ran.lastIndexOf('bios-version-update') + 1)
    expect(scans.length, 'after it gave up').toBeGreaterThanOrEqual(5)
    expect(new Set(scans)).toEqual(new Set(['bios-scan']))
    const { trouble } = (await biosNow('b1')).status ?? {}
    expect(trouble).toMatchObject({ program: 'bios-version-update', failures: 5, message: 'the BMC said no' })
    expect(trouble?.next).toBeUndefined()
    expect(await said('InSync')).toMatchObject({ status: 'False', reason: 'GaveUp' })
    machine.script = []
    await kube.patch(serverBioses, { name: 'b1' }, { merge: { metadata: { annotations: { 'metal.ironcore.dev/operation': 'retry' } } } })
    await passes(minutes(5))
    expect((await biosNow('b1')).status?.bios?.version).toBe('2.0.0')
  })

  it('never wedges the object: a Job that somebody deleted is started anew', async () => {
    const { server, bios, biosNow, jobsNow, passes, kube } = await open()
    const machine = await server('s1')
    machine.script = [{ takes: 0 }, { takes: minutes(30) }]
    await bios('b1', 's1', { version: '2.0.0' })
    await passes(minutes(1))
    const { runningJob } = (await biosNow('b1')).status ?? {}
    await kube.delete(jobs, runningJob!)
    await passes(seconds(10))
    expect((await biosNow('b1')).status?.trouble?.message).toBe('its Job vanished before it had reported')
    await passes(minutes(10))
    expect((await biosNow('b1')).status).toMatchObject({ bios: { version: '2.0.0' } })
    expect((await biosNow('b1')).status?.runningJob).toBeUndefined()
    expect((await jobsNow()).map(({ metadata }) => metadata.name)).not.toContain(runningJob?.name)
  })

  it('never wedges the object: a program that dies without a word', async () => {
    const { server, bios, biosNow, passes } = await open()
    const machine = await server('s1')
    machine.script = ['dies', 'dies', 'dies', 'dies']
    await bios('b1', 's1', { version: '1.0.0' })
    await passes(minutes(15))
    expect(await said('InSync')).toMatchObject({ status: 'True' })
    expect((await biosNow('b1')).status?.runningJob).toBeUndefined()
  })

  it('is not tried again where it was refused, until the wish changes', async () => {
    const { server, bios, passes, kube } = await open()
    const machine = await server('s1')
    machine.script = [{ takes: 0 }, { exit: 2, message: 'this machine has no setting Nothing' }]
    await bios('b1', 's1', { settings: { Nothing: 1 } })
    await passes(minutes(60))
    expect(machine.ran.filter(program => program === 'bios-settings-update')).toHaveLength(1)
    expect((await said('InSync'))?.message).toContain('this machine has no setting Nothing')
    await kube.patch(serverBioses, { name: 'b1' }, { merge: { spec: { bios: { settings: { Nothing: null, A: 1 } } } } })
    await passes(minutes(2))
    expect(machine.settings).toEqual({ A: 1 })
  })

  it('T-40 I26 is not tried again because a scan failed and worked again meanwhile', async () => {
    const { server, bios, biosNow, passes } = await open()
    const machine = await server('s1')
    const fails = { exit: 2, message: 'the BMC is away' }
    machine.script = [{ takes: 0 }, { exit: 2, message: 'wrong digest' }, fails, fails]
    await bios('b1', 's1', { version: '2.0.0' }, { scanPeriodMinutes: 10 })
    for (let n = 0; n < 60 && (await biosNow('b1')).status?.scanTrouble === undefined; n++) await passes(seconds(15))
    expect((await biosNow('b1')).status).toMatchObject({
      trouble: { program: 'bios-version-update', message: 'wrong digest' },
      scanTrouble: { program: 'bios-scan', message: 'the BMC is away' },
    })
    await passes(minutes(60))
    expect(machine.ran.filter(program => program === 'bios-scan').length).toBeGreaterThan(5)
    expect(machine.ran.filter(program => program === 'bios-version-update')).toHaveLength(1)
    expect((await biosNow('b1')).status?.scanTrouble).toBeUndefined()
    expect(await said('InSync')).toMatchObject({ status: 'False', reason: 'GaveUp' })
  })

  it('I26 counts as failed where it says that it is done and nothing changed: five times, later and later, then never', async () => {
    const { server, bios, biosNow, passes } = await open()
    const machine = await server('s1')
    machine.spells = version => `${version} (build 7)`
    await bios('b1', 's1', { version: '2.0.0' })
    await passes(minutes(2))
    expect((await biosNow('b1')).status?.trouble).toMatchObject({
      failures: 2,
      message: 'it says that it is done, and yet BIOS 2.0.0 (build 7) runs, 2.0.0 is wanted',
    })
    await passes(minutes(600))
    expect(machine.ran).toEqual(['bios-scan', ...Array(5).fill('bios-version-update')])
    expect(await said('InSync')).toMatchObject({ status: 'False', reason: 'GaveUp' })
  })

  it('is no failure where it was stopped because it may not any more; it starts again when it may', async () => {
    const { server, bios, biosNow, passes } = await open()
    const machine = await server('s1')
    machine.script = [{ takes: 0 }, { exit: 3, message: 'the Server is Reserved' }]
    await bios('b1', 's1', { version: '2.0.0' })
    await passes(seconds(20))
    expect((await biosNow('b1')).status?.trouble).toBeUndefined()
    await passes(minutes(5))
    expect(machine.version).toBe('2.0.0')
  })

  it('ends with its object: the Job goes, what it began is waited for, the server is free again', async () => {
    const { server, bios, jobsNow, serverNow, passes, kube } = await open()
    const machine = await server('s1')
    machine.script = [{ takes: 0 }, { takes: minutes(30) }]
    await bios('b1', 's1', { version: '2.0.0' })
    await passes(minutes(1))
    machine.tasks = ['1']
    await kube.delete(serverBioses, { name: 'b1' })
    await passes(minutes(5))
    expect(await kube.find(serverBioses, { name: 'b1' }), 'while its BMC writes').toBeDefined()
    expect((await serverNow('s1')).spec.updateRef).toBeDefined()
    machine.tasks = []
    await passes(minutes(2))
    expect(await kube.find(serverBioses, { name: 'b1' })).toBeUndefined()
    expect((await serverNow('s1')).spec).not.toHaveProperty('updateRef')
    expect((await serverNow('s1')).spec).not.toHaveProperty('biosRef')
    expect(await jobsNow()).toEqual([])
  })

  it('does not outlive its server: says that there is none', async () => {
    const { server, bios, passes, kube } = await open()
    await server('s1')
    await bios('b1', 's1', { version: '1.0.0' })
    await passes(seconds(5))
    await kube.delete(servers, { name: 's1' })
    await passes(seconds(5))
    expect(await said('InSync')).toMatchObject({ status: 'False', reason: 'NoServer' })
  })
})

describe('JobRunners', () => {
  const podOf = async () => (await world.jobsNow())[0]!.spec.template.spec

  it('FW-027 FW-028 FW-029 FW-030 FW-032 X-019 say image, account, namespace and further configuration of the executor', async () => {
    const { server, bios, jobsNow, passes } = await open({}, { host: false })
    await server('s1')
    await runner('r', {
      image: 'acme/jobs:1',
      serviceAccountName: 'flasher',
      namespace: 'elsewhere',
      configRef: { kind: 'ConfigMap', name: 'flash' },
      backoffLimit: 1,
      activeDeadlineSeconds: 600,
      ttlSecondsAfterFinished: 60,
    })
    await bios('b1', 's1', { version: '1.0.0' })
    await passes(seconds(5))
    const [job] = await jobsNow()
    expect(job?.metadata).toMatchObject({
      namespace: 'elsewhere',
      labels: { 'metal.ironcore.dev/server': 's1', 'metal.ironcore.dev/program': 'bios-scan' },
    })
    expect(job?.spec).toMatchObject({ backoffLimit: 1, activeDeadlineSeconds: 600, ttlSecondsAfterFinished: 60 })
    expect(job?.spec.podFailurePolicy?.rules).toEqual([
      { action: 'FailJob', onExitCodes: { containerName: 'job', operator: 'In', values: [2, 3] } },
    ])
    const pod = await podOf()
    expect(pod).toMatchObject({
      serviceAccountName: 'flasher',
      restartPolicy: 'Never',
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      volumes: [{ name: 'config', configMap: { name: 'flash' } }],
      containers: [
        {
          name: 'job',
          image: 'acme/jobs:1',
          args: ['job', 'bios-scan'],
          securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        },
      ],
    })
    const env = Object.fromEntries((pod.containers[0]?.env ?? []).map(({ name, value }) => [name, value]))
    expect(env).toMatchObject({
      RACKWRIGHT_TARGET_KIND: 'ServerBIOS',
      RACKWRIGHT_TARGET_NAME: 'b1',
      RACKWRIGHT_JOB_NAMESPACE: 'elsewhere',
      RACKWRIGHT_JOB_RUNNER: 'r',
      RACKWRIGHT_MANAGER_NAMESPACE: manager,
    })
    expect(env['RACKWRIGHT_JOB_NAME']).toBe(job?.metadata.name)
    expect(job?.metadata.name.length).toBeLessThanOrEqual(63)
  })

  it('FW-003 bring a server to what is wanted by an image of a vendor’s own, through the same steps', async () => {
    const { server, bios, jobsNow, passes } = await open()
    const machine = await server('s1')
    await runner('acme', { image: 'acme/jobs:1', manufacturer: 'ACME' })
    await bios('b1', 's1', { version: '2.0.0', settings: { A: 1 } })
    await passes(minutes(5))
    expect(await said('InSync')).toMatchObject({ status: 'True' })
    expect(machine).toMatchObject({ version: '2.0.0', settings: { A: 1 } })
    expect(machine.ran).toEqual(['bios-scan', 'bios-version-update', 'bios-settings-update'])
    expect(new Set((await jobsNow()).map(({ spec }) => spec.template.spec.containers[0]?.image))).toEqual(new Set(['acme/jobs:1']))
  })

  it('FW-036 are chosen by labels and maker, the most specific first', async () => {
    const { server, bios, passes, jobsNow } = await open({}, { host: false })
    for (const [name, manufacturer] of Object.entries({ s1: 'ACME', s2: 'ACME', s3: 'Nobody', s4: 'Nobody' }))
      await server(name, {}, { manufacturer })
    await runner('any', { image: 'any:1' })
    await runner('labelled', { image: 'labelled:1', selector: { matchLabels: { ring: 'a' } } })
    await runner('maker', { image: 'maker:1', manufacturer: 'acme' })
    await runner('both', { image: 'both:1', manufacturer: 'ACME', selector: { matchLabels: { ring: 'a' } } })
    await runner('other', { image: 'other:1', manufacturer: 'Else', selector: { matchLabels: { ring: 'a' } } })
    await bios('b1', 's1', {}, {}, { ring: 'a' })
    await bios('b2', 's2')
    await bios('b3', 's3', {}, {}, { ring: 'a' })
    await bios('b4', 's4', {}, {}, { ring: 'b' })
    await passes(seconds(5))
    const images = (await jobsNow()).map(({ metadata, spec }) => [
      metadata.labels?.['metal.ironcore.dev/server'],
      spec.template.spec.containers[0]?.image,
    ])
    expect(Object.fromEntries(images)).toEqual({ s1: 'both:1', s2: 'maker:1', s3: 'labelled:1', s4: 'any:1' })
  })

  it('FW-033 fall back to the one that the command line names', async () => {
    const { server, bios, passes } = await open({ defaultRunner: 'fallback', jobImage: undefined }, { host: false })
    await server('s1')
    await bios('b1', 's1')
    await passes(seconds(5))
    expect(await said('Scanned')).toMatchObject({ status: 'False', reason: 'NoJobRunner' })
    await runner('fallback', { image: 'fallback:1', selector: { matchLabels: { never: 'x' } } })
    await passes(minutes(1))
    expect((await podOf()).containers[0]?.image).toBe('fallback:1')
  })

  it('FW-035 are read right before use: a Job that could not begin is made anew when its runner is set right', async () => {
    const { server, bios, biosNow, jobsNow, passes, kube } = await open()
    const machine = await server('s1')
    await runner('r', { image: 'nobody/has:this' })
    await bios('b1', 's1', { version: '1.0.0' })
    await passes(minutes(3))
    expect(machine.ran).toEqual([])
    expect((await said('JobRuns'))?.message).toMatch(/has not begun: .*nobody\/has:this/)
    await kube.patch(jobRunners, { name: 'r' }, { merge: { spec: { image: ownImage } } })
    await passes(minutes(2))
    expect(machine.ran).toEqual(['bios-scan'])
    expect((await biosNow('b1')).status?.trouble).toBeUndefined()
    expect((await jobsNow()).map(({ spec }) => spec.template.spec.containers[0]?.image)).toEqual([ownImage])
  })

  it('do not disturb a job that runs when they change', async () => {
    const { server, bios, passes, kube } = await open()
    const machine = await server('s1')
    await runner('r', {})
    machine.script = [{ takes: minutes(5) }]
    await bios('b1', 's1', { version: '1.0.0' })
    await passes(minutes(1))
    await kube.patch(jobRunners, { name: 'r' }, { merge: { spec: { image: 'acme/jobs:1' } } })
    await passes(minutes(6))
    expect(machine.ran).toEqual(['bios-scan'])
    expect(await said('InSync')).toMatchObject({ status: 'True' })
  })
})
