import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Job, jobEnd } from '../../src/api/batch/job.ts'
import type { KubeObject } from '../../src/core/object.ts'
import { jobs } from '../../src/jobs/host/index.ts'
import { jobPrograms } from '../../src/jobs/programs/index.ts'
import {
  type JobRunner,
  jobRunners,
  type ServerBIOS,
  type ServerFirmware,
  serverBioses,
  serverFirmwares,
} from '../../src/jobs/programs/resources.ts'
import type { ResourceRef } from '../../src/ports/index.ts'
import { type Lane, openLane, stateOf, system, until } from './lane.ts'
import { type Process, start } from './processes.ts'

const bin = process.env['KUBEBUILDER_ASSETS']
const hurried = new URL('./programs/hurried.ts', import.meta.url).pathname
const main = new URL('../../src/main.ts', import.meta.url).pathname
const pods: ResourceRef = { group: '', version: 'v1', plural: 'pods', namespaced: true }
const metal = 'metal.ironcore.dev/v1alpha1'
const image = Buffer.from('sim-firmware: BIOS 2.4.1\n')
const part = Buffer.from('sim-firmware: NIC.1 21.0.0\n')
const nic = { name: 'Network adapter', manufacturer: 'Rackwright', version: '21.0.0' }
const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const isInSync = ({ status }: ServerBIOS | ServerFirmware): boolean =>
  status?.conditions?.find(({ type }) => type === 'InSync')?.status === 'True'
const ourImage = 'registry.example.com/rackwright:test'

/** A pod as the Job controller of Kubernetes makes it; a kubelet would run it. */
interface Pod extends KubeObject {
  readonly spec: { readonly serviceAccountName: string; readonly containers: Job['spec']['template']['spec']['containers'] }
}

describe.skipIf(bin === undefined)('Jobs of BIOS and firmware on a real Kubernetes', () => {
  let lane: Lane
  let operator: Process
  let bootServer: Process
  const shop = createServer(({ url }, response) => response.end(url?.startsWith('/NIC') ? part : image))
  const ran: { readonly program: string; readonly code: number; readonly said: string }[] = []
  const seen = new Set<string>()
  const over = new AbortController()
  let kubelet: Promise<void> = Promise.resolve()

  beforeAll(async () => {
    await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve))
    lane = await openLane(bin ?? '', { servers: 1, speed: 50, controllers: ['job-controller'] })
    const clock = ['4', String(Date.now())]
    const config = await lane.settings('rackwright-controllers', { more: { controllers: 'metal,firmware', jobImage: ourImage } })
    operator = start([hurried, 'operator', ...clock, config])
    bootServer = start([hurried, 'boot-server', ...clock, await lane.settings('rackwright-boot-server')])
    kubelet = runPods()
  })
  afterAll(async () => {
    over.abort()
    await kubelet
    await operator?.stop()
    await bootServer?.stop()
    await lane?.close()
    await new Promise(resolve => shop.close(resolve))
  })

  /** What a kubelet does, without containers: the arguments, the environment and the ServiceAccount of the pod, and its end into its status. */
  async function runPods(): Promise<void> {
    while (!over.signal.aborted) {
      const found = (await lane.kube.list(pods as ResourceRef<Pod>, { namespace: system }).catch(() => undefined))?.items ?? []
      for (const pod of found.filter(({ metadata }) => metadata.labels?.['job-name'] !== undefined && !seen.has(metadata.name))) {
        seen.add(pod.metadata.name)
        await runPod(pod)
      }
      await new Promise(resolve => setTimeout(resolve, 300))
    }
  }
  async function runPod({ metadata, spec }: Pod): Promise<void> {
    const [container] = spec.containers
    const { kubeconfig } = parse(readFileSync(await lane.settings(spec.serviceAccountName), 'utf8')) as { kubeconfig: string }
    const env = Object.fromEntries((container?.env ?? []).map(({ name, value }) => [name, value ?? '']))
    // The simulated machine is that much faster than a real one, and so is the patience of who works on it.
    const args = [...(container?.args ?? []), '--speed', '10']
    const child = spawn(process.execPath, [main, ...args], { env: { ...env, KUBECONFIG: kubeconfig }, stdio: 'pipe' })
    const said: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => void said.push(String(chunk)))
    const code = await new Promise<number>(resolve => child.once('close', end => resolve(end ?? 137)))
    ran.push({ program: container?.args?.[1] ?? '', code, said: said.join('') })
    const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
    const terminated = { exitCode: code, reason: code === 0 ? 'Completed' : 'Error', startedAt: now, finishedAt: now }
    const status = {
      phase: code === 0 ? 'Succeeded' : 'Failed',
      containerStatuses: [
        { name: 'job', image: container?.image, imageID: '', ready: false, restartCount: 0, started: false, state: { terminated } },
      ],
    }
    await lane.kube.patch(pods, { name: metadata.name, namespace: system }, { merge: { status } }, { subresource: 'status' })
  }

  it('FW-005 X-018 the programs, started as their pods would start them, bring a server from a scan to what is wanted', async () => {
    const { port } = shop.address() as AddressInfo
    const { kube } = lane
    const name = 'server-1-system-0'
    const at = `http://127.0.0.1:${port}`
    await kube.create(jobRunners, {
      apiVersion: metal,
      kind: 'JobRunner',
      metadata: { name: 'default' },
      spec: {
        image: ourImage,
        sources: [
          { component: 'BIOS', version: '2.4.1', url: `${at}/BIOS-2.4.1.bin`, digest: digestOf(image) },
          { component: nic.name, version: nic.version, url: `${at}/NIC-21.0.0.bin`, digest: digestOf(part) },
        ],
      },
    } as unknown as JobRunner)
    await until('the server is discovered', async () => (await stateOf(lane, name)) === 'Available')
    await kube.create(serverBioses, {
      apiVersion: metal,
      kind: 'ServerBIOS',
      metadata: { name },
      spec: { serverRef: { name }, bios: { version: '2.4.1', settings: { QuietBoot: false, BootDelaySeconds: 10 } } },
    } as unknown as ServerBIOS)
    const bios = await until(
      'the BIOS is as wanted',
      async () => {
        const found = await kube.get(serverBioses, { name })
        return isInSync(found) && found
      },
      480_000,
    )
    expect(bios.status?.bios).toEqual({ version: '2.4.1', settings: { QuietBoot: false, BootDelaySeconds: 10 } })
    // A program tells what it read back, and then ends: what it says last comes after that.
    await until('the last program has ended', async () => ran.some(({ program }) => program === 'bios-settings-update'))
    await kube.create(serverFirmwares, {
      apiVersion: metal,
      kind: 'ServerFirmware',
      metadata: { name },
      spec: { serverRef: { name }, firmwares: [nic] },
    } as unknown as ServerFirmware)
    const firmware = await until(
      'the component is as wanted',
      async () => {
        const found = await kube.get(serverFirmwares, { name })
        return isInSync(found) && found
      },
      480_000,
    )
    expect(firmware.status?.firmwares).toContainEqual(nic)
    await until('the last program for it has ended', async () => ran.some(({ program }) => program === 'firmware-update'))
    expect(lane.rack.machine('server-1').power).toBe('Off')
    expect(ran.map(({ program, code }) => `${program} ${code}`)).toEqual(expect.arrayContaining(jobPrograms.map(program => `${program} 0`)))
    expect(ran.filter(({ code }) => code !== 0)).toEqual([])
    expect(ran.map(({ said }) => said).join('')).not.toContain('forbidden')

    const made = await until('the Job controller of Kubernetes ended every Job', async () => {
      const { items } = await kube.list(jobs, { namespace: system })
      return items.length > 0 && items.every(job => jobEnd(job) === 'Complete') && items
    })
    for (const job of made) {
      const { spec, metadata } = job
      const kind = spec.template.spec.containers[0]?.args?.[1]?.startsWith('bios-') ? 'ServerBIOS' : 'ServerFirmware'
      expect(metadata.ownerReferences).toMatchObject([{ kind, name, controller: true }])
      expect(spec).toMatchObject({ backoffLimit: 3, activeDeadlineSeconds: 7200, ttlSecondsAfterFinished: 3600 })
      expect(spec.podFailurePolicy?.rules).toMatchObject([{ action: 'FailJob', onExitCodes: { operator: 'In', values: [2, 3] } }])
      const pod = spec.template.spec
      expect(pod).toMatchObject({ restartPolicy: 'Never', serviceAccountName: 'rackwright-jobs', automountServiceAccountToken: true })
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(pod.containers).toHaveLength(1)
      expect(pod.containers[0]).toMatchObject({
        name: 'job',
        image: ourImage,
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      })
      expect(pod.containers[0]?.args?.[0]).toBe('job')
    }
  }, 900_000)
})
