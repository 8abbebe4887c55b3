import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { claims, servers } from '../../src/controllers/metal/resources.ts'
import { connect, kubeClient, loadConnection } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname
/** Everything here takes seconds; a machine that does ten other things may take this long. */
const bound = 240_000

interface Up {
  readonly child: ChildProcess
  /** Resolves with everything printed so far once it matches; fails if the process ends before. */
  says(wanted: RegExp): Promise<string>
  stop(): Promise<number | null>
}

function up(home: string, ...args: readonly string[]): Up {
  const child = spawn(process.execPath, [main, 'up', '--port', '0', '--home', home, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let out = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', chunk => {
      out += String(chunk)
      for (const listen of listeners) listen()
    })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  return {
    child,
    says: wanted =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!wanted.test(out)) return
          listeners.delete(look)
          resolve(out)
        }
        listeners.add(look)
        void ended.then(code => reject(new Error(`it ended with ${code} before it said ${wanted}: ${out}`)))
        look()
      }),
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}

function run(home: string, ...args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = spawn(process.execPath, [main, ...args, '--home', home], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      out += String(chunk)
    })
  return new Promise(resolve => child.once('close', code => resolve({ code, out })))
}

/** Asks until it is so; what never comes ends with the test. */
async function told(home: string, wanted: RegExp, ...args: readonly string[]): Promise<string> {
  for (;;) {
    const { out } = await run(home, ...args)
    if (wanted.test(out)) return out
  }
}

describe('one command: API, controllers, boot server and a simulated rack, over sockets', { timeout: bound }, () => {
  const home = mkdtempSync(join(tmpdir(), 'rackwright-up-'))
  let instance: Up
  beforeAll(() => {
    instance = up(home, '--servers', '4', '--speed', '40')
  })
  afterAll(async () => {
    await instance.stop()
    rmSync(home, { recursive: true, force: true })
  }, bound)
  const server = 'server-1-system-0'

  it('BP-058 BP-060 a server is discovered, claimed, booted over HTTP once, installed, and runs from disk', async () => {
    const out = await instance.says(/server-1-system-0: boot 2, ended: the installed system (reported its boot|runs)/)
    expect(out).toContain('Simulated: the machines, their BMCs and their disks')
    // Lines about different objects come as their watches tell them.
    for (const said of ['Discovery → Available', 'Available → Reserved', 'provisioned'])
      await instance.says(new RegExp(`${server}: .*${said}`))
  })
  it('get, why, describe and timeline tell it from the API alone', async () => {
    await instance.says(/server-1-system-0: boot 2, ended/)
    await told(home, /server-1-system-0 +Dell .* On +Reserved +default\/demo +UefiHttp #2 installed, from disk/, 'get')
    await told(home, /nothing is waited for; it is installed and boots from its disk/, 'why', 'demo')
    const { out } = await run(home, 'timeline', 'demo')
    for (const words of ['asked', 'read back', 'served', 'reported']) expect(out).toMatch(new RegExp(`^ +[\\d:]+  ${words} `, 'm'))
    expect((await run(home, 'describe', 'demo')).out).toContain('ServerClaim default/demo')
    expect((await run(home, 'describe', 'server', server)).out).toContain(`Server ${server}`)
    expect((await run(home, 'describe', 'bmc', 'server-1')).out).toContain('state: Enabled')
    const objects = JSON.parse((await run(home, 'get', 'servers', '-o', 'json')).out) as { metadata: { name: string } }[]
    expect(objects.map(({ metadata }) => metadata.name)).toHaveLength(4)
    expect((await run(home, 'why', 'nobody')).out).toContain('there is no such server, claim or host')
  })
  it('hosts of Metal3 stand beside the servers, and the same commands know them', async () => {
    await instance.says(/host host-1: provisioning → provisioned/)
    await told(home, /default\/host-1 +Dell .* On +provisioned .*rescue\.iso/, 'get')
    expect((await run(home, 'why', 'host-2')).out).toContain('an image may be given to it')
    expect((await run(home, 'timeline', 'host-1')).out).toContain('provisioning → provisioned: it is installed')
    expect((await run(home, 'describe', 'host/host-1')).out).toContain('BareMetalHost default/host-1')
    expect((await run(home, 'power', 'host-2', 'on')).out).toContain('default/host-2 shall be on')
    await told(home, /default\/host-2 +HPE .* On +available/, 'get', 'hosts')
    await told(home, /DataImage default\/host-1 .*config\.iso: it is attached at the next restart/, 'why', 'host-1')
    expect((await run(home, 'power', 'host-1', 'cycle')).out).toContain('host-1')
    await told(home, /it finds .*config\.iso in a drive/, 'why', 'host-1')
  })
  it('BP-061 a power cycle that an operator commands ends on the disk', async () => {
    expect(await run(home, 'power', 'demo', 'cycle')).toMatchObject({ code: 0 })
    await instance.says(/server-1-system-0: boot 3, ended/)
    await told(home, /server-1-system-0 .* Hdd #3 .*from disk/, 'get')
  })
  it('a claim that is changed after its installation installs nothing by itself; reprovision does, after a question', async () => {
    const kubeconfig = await loadConnection({ file: join(home, 'kubeconfig') })
    const transport = connect(kubeconfig, wallClock)
    const kube = kubeClient(transport, { clock: wallClock, ids: randomIds })
    await kube.patch(claims, { name: 'demo', namespace: 'default' }, { merge: { spec: { bootPolicy: { firstBoot: 'Pxe' } } } })
    while (!(await run(home, 'why', 'demo')).out.includes('Try: rackwright reprovision demo'));
    expect((await kube.get(servers, { name: server })).status?.boot).toMatchObject({ attempt: 3, method: 'Hdd' })
    await transport.close()
    expect(await run(home, 'reprovision', 'demo')).toMatchObject({ code: 1, out: expect.stringContaining('--yes') })
    expect(await run(home, 'reprovision', 'demo', '--yes')).toMatchObject({ code: 0 })
    await instance.says(/server-1-system-0: boot 4, ended: the installed system (reported its boot|runs)/)
    await told(home, /server-1-system-0 .* Pxe #4 installed, from disk/, 'get')
  })
  it('BP-027 an image that does not fit is told on the claim, and nothing is bound', async () => {
    const claimed = await run(home, 'claim', 'no-uki', '--image', 'images.sim/debian:13-pxe', '--first-boot', 'uefi-http')
    expect(claimed).toMatchObject({ code: 0 })
    await instance.says(/claim default\/no-uki: Cannot boot/)
    await told(home, /it needs uki; found kernel, initramfs/, 'why', 'claim/no-uki')
    expect(await run(home, 'release', 'no-uki')).toMatchObject({ code: 0 })
  })
  it('BP-040 a server is taken out of service for work, and put back', async () => {
    const other = 'server-2-system-0'
    await instance.says(/server-2-system-0: Discovery → Available/)
    expect(await run(home, 'maintain', other, '--enforced', '--reason', 'a new disk')).toMatchObject({ code: 0 })
    await instance.says(/server-2-system-0: Available → Maintenance/)
    await told(home, new RegExp(`held by maintenance default/${other}`), 'why', other)
    expect(await run(home, 'maintain', other, '--done')).toMatchObject({ code: 0 })
    await instance.says(/server-2-system-0: Maintenance → /)
  })
  it('what destroys is asked about first', async () => {
    expect(await run(home, 'release', 'demo')).toMatchObject({ code: 1, out: expect.stringContaining('--yes') })
  })
  it('its machines take the switches of rackwright sim', async () => {
    const told = await run(home, 'sim', 'fault', 'server-3', 'power-unknown', '--times', '1')
    expect(told).toMatchObject({ code: 0, out: expect.stringContaining('"fault":"power-unknown"') })
    expect(await run(home, 'sim', 'heal', 'server-3')).toMatchObject({ code: 0, out: expect.stringContaining('[]') })
  })
  it('doctor finds nothing in the way', async () => {
    const { code, out } = await run(home, 'doctor')
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('Nothing stands in the way.') })
    expect(out).toContain('BMC server-4')
  })
  it('no ticket and no password reaches a log', async () => {
    const log = readFileSync(join(home, 'logs', 'rackwright.log'), 'utf8')
    expect(log.length).toBeGreaterThan(1_000)
    expect(log).not.toMatch(/\/boot\/[\w-]{20,}\./)
  })
  it('its state survives a restart, and it stops when it is told to', async () => {
    const before = JSON.parse((await run(home, 'get', 'servers', '-o', 'json')).out) as { metadata: { uid: string } }[]
    expect(await instance.stop()).toBe(0)
    instance = up(home, '--servers', '4', '--speed', '40', '--no-demo-claim')
    await instance.says(/Ctrl-C stops it/)
    const after = JSON.parse((await run(home, 'get', 'servers', '-o', 'json')).out) as typeof before
    expect(after.map(({ metadata }) => metadata.uid).sort()).toEqual(before.map(({ metadata }) => metadata.uid).sort())
    await told(home, /nothing is waited for; it is installed and boots from its disk/, 'why', 'demo')
  })
  it('I5 a claim that is given back leaves a server that can be claimed again', async () => {
    expect(await run(home, 'release', 'demo', '--yes')).toMatchObject({ code: 0 })
    await instance.says(/server-1-system-0: (Released|Reserved) → Available/)
  })
})
