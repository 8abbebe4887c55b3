import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jobEnd } from '../../src/api/batch/job.ts'
import { type Everything, startEverything } from '../../src/cli/compose/everything.ts'
import { homeAt, prepareHome } from '../../src/cli/home.ts'
import { fileLog } from '../../src/cli/log-file.ts'
import { jobs } from '../../src/jobs/host/index.ts'
import { jobPrograms } from '../../src/jobs/programs/index.ts'
import {
  type JobRunner,
  jobRunners,
  type ServerBIOS,
  type ServerFirmware,
  serverBioses,
  serverFirmwares,
  servers,
} from '../../src/jobs/programs/resources.ts'
import { connect, loadConnection } from '../../src/kube/index.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { discoveryImage } from '../../src/sim/images/demo.ts'
import { firmwareVersion } from '../../src/sim/machine/machine.ts'
import { bytesOf } from './program-world.ts'

const bound = 240_000
const metal = 'metal.ironcore.dev/v1alpha1'
const nic = { name: 'Network adapter', manufacturer: 'Rackwright', version: '21.0.0' }

/** Looks until it is so. */
async function until<T>(words: string, look: () => Promise<T | undefined>): Promise<T> {
  const began = performance.now()
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() - began > bound - 20_000) throw new Error(`"${words}" did not come about`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

describe.each([
  ['in threads', false],
  ['in processes of their own', true],
])('X-018 the embedded host runs Jobs %s', (_, isolateJobs) => {
  const home = homeAt({ home: mkdtempSync(join(tmpdir(), 'rackwright-jobs-')) })
  const image = bytesOf('BIOS', '2.4.1')
  const part = bytesOf('NIC.1', '21.0.0')
  const shop = createServer(({ url }, response) => response.end(url?.startsWith('/NIC') ? part : image))
  let all: Everything

  const start = (): Promise<Everything> =>
    startEverything({
      home,
      host: '127.0.0.1',
      port: 0,
      log: fileLog(home.logs, () => {}),
      boot: { host: '127.0.0.1', port: 0, registries: { listed: [] } },
      probeImage: discoveryImage,
      isolateJobs,
      rack: { servers: 1, speed: 200, claim: false, makes: ['generic'] },
    })
  /** What a command says, as somebody would give it. */
  const rackwright = (...args: readonly string[]): Promise<string> => {
    const main = new URL('../../src/main.ts', import.meta.url).pathname
    return new Promise((resolve, reject) =>
      execFile(process.execPath, [main, ...args, '--kubeconfig', all.embedded.kubeconfig], (error, out, err) =>
        error ? reject(new Error(`${error.message}\n${err}`)) : resolve(out),
      ),
    )
  }

  beforeAll(async () => {
    prepareHome(home)
    await new Promise<void>(resolve => shop.listen(0, '127.0.0.1', resolve))
    all = await start()
  }, bound)
  afterAll(async () => {
    await all?.close()
    await new Promise(resolve => shop.close(resolve))
    rmSync(home.root, { recursive: true, force: true })
  }, bound)

  /** Looks, plans, and asks at once, by the words that people have. */
  async function commands(name: string): Promise<void> {
    const { kube } = all
    const status = await rackwright('firmware', 'status')
    expect(status).toMatch(new RegExp(`ServerBIOS/${name} +${name} .*2\\.4\\.1.* yes `))
    expect(await rackwright('firmware', 'plan', name)).toContain('nothing would be done')
    const before = (await kube.get(serverBioses, { name })).status?.lastScanTime
    await rackwright('firmware', 'scan', name)
    await until('it was scanned anew', async () =>
      (await kube.get(serverBioses, { name })).status?.lastScanTime === before ? undefined : true,
    )
    await kube.patch(serverBioses, { name }, { merge: { spec: { bios: { version: '9.9.9' } } } })
    const plan = await until('the plan says what would be done', async () => {
      const told = await rackwright('firmware', 'plan', name)
      return told.includes('bios-version-update') ? told : undefined
    })
    expect(plan).toContain('1. bios-version-update: BIOS 2.4.1 runs, 9.9.9 is wanted')
    expect(plan).toContain('At most')
    expect(await rackwright('firmware', 'status', name)).toMatch(/2\.4\.1 +9\.9\.9 .* no /)
  }

  it(
    'FW-038 FW-048 FW-052 FW-055 FW-063 from scans over drift to the wanted version, settings and component, each by a real Job with a token of its own',
    async () => {
      const { kube } = all
      const { port } = shop.address() as AddressInfo
      const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
      const at = `http://127.0.0.1:${port}`
      await kube.create(jobRunners, {
        apiVersion: metal,
        kind: 'JobRunner',
        metadata: { name: 'default' },
        spec: {
          image: 'rackwright.dev/rackwright',
          sources: [
            { component: 'BIOS', version: '2.4.1', url: `${at}/BIOS-2.4.1.bin`, digest: digestOf(image) },
            { component: nic.name, version: nic.version, url: `${at}/NIC-21.0.0.bin`, digest: digestOf(part) },
          ],
        },
      } as unknown as JobRunner)
      const server = await until('the server is Available', async () =>
        (await kube.list(servers)).items.find(({ status }) => status?.state === 'Available'),
      )
      const { name } = server.metadata
      // Scanned once, and when somebody asks: a scan that happens to run at the end has its token, and rightly so.
      const about = { serverRef: { name }, scanPeriodMinutes: 999_999 }
      await kube.create(serverBioses, {
        apiVersion: metal,
        kind: 'ServerBIOS',
        metadata: { name },
        spec: { ...about, bios: { version: '2.4.1', settings: { BootDelaySeconds: 10, QuietBoot: false } } },
      } as unknown as ServerBIOS)
      const { status } = await until('the BIOS is as wanted', async () => {
        const bios = await kube.get(serverBioses, { name })
        const inSync = bios.status?.conditions?.find(({ type }) => type === 'InSync')
        return inSync?.status === 'True' ? bios : undefined
      })
      expect(status?.bios).toEqual({ version: '2.4.1', settings: { BootDelaySeconds: 10, QuietBoot: false } })
      const machine = all.demo!.rack.rack.machine('server-1')
      expect(machine.bios).toMatchObject({ BootDelaySeconds: 10, QuietBoot: false })
      expect(machine.power).toBe('Off')
      await kube.create(serverFirmwares, {
        apiVersion: metal,
        kind: 'ServerFirmware',
        metadata: { name },
        spec: { ...about, firmwares: [nic] },
      } as unknown as ServerFirmware)
      const parts = await until('the component is as wanted', async () => {
        const firmware = await kube.get(serverFirmwares, { name })
        return firmware.status?.conditions?.find(({ type }) => type === 'InSync')?.status === 'True' ? firmware : undefined
      })
      expect(parts.status?.firmwares).toContainEqual(nic)
      expect(firmwareVersion(machine, 'NIC.1')).toBe('21.0.0')
      const ran = await until('all Jobs are Complete', async () => {
        const { items } = await kube.list(jobs)
        return items.every(job => jobEnd(job) === 'Complete') ? items : undefined
      })
      const programs = ran.map(({ spec }) => spec.template.spec.containers[0]?.args?.[1])
      expect(new Set(programs)).toEqual(new Set(jobPrograms))
      // What they said can be read by whoever may.
      const transport = connect(await loadConnection({ file: all.embedded.kubeconfig }), wallClock)
      const flashed = ran.find(({ spec }) => spec.template.spec.containers[0]?.args?.[1] === 'bios-version-update')!
      const { namespace = '', name: job } = flashed.metadata
      const answer = await transport({ method: 'GET', url: `/rackwright/jobs/${namespace}/${job}/log`, headers: {} })
      await transport.close()
      expect(Buffer.from(answer.body as Uint8Array).toString()).toMatch(/Hands BIOS 2\.4\.1 to the BMC \(push\)[\s\S]*Done/)
      const said = await rackwright('logs', `job/${job}`)
      expect(said).toBe(Buffer.from(answer.body as Uint8Array).toString())
      if (!isolateJobs) await commands(name)
      // What was said before is there after a restart of the host.
      await all.close()
      all = await start()
      expect(await rackwright('logs', `job/${job}`)).toBe(said)
      // No token stays behind.
      expect(isolateJobs ? readdirSync(join(home.root, 'run', 'jobs')) : []).toEqual([])
    },
    bound,
  )
})
