import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { images } from '../../src/controllers/metal3/resources.ts'
import { sector } from '../../src/core/iso9660.ts'
import { connect, kubeClient, loadConnection } from '../../src/kube/index.ts'
import { randomIds } from '../../src/net/random-ids.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { makeLiveIso, room } from '../../src/sim/images/live-iso.ts'
import { readNewc } from '../../src/sim/images/read-newc.ts'

const main = new URL('../../src/main.ts', import.meta.url).pathname
const iso = makeLiveIso()
const agent = ['--agent-image', 'registry.example/ironic-agent:1']

describe('images of hosts, by programs that run', () => {
  let home = ''
  let children: ChildProcess[] = []
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'rackwright-images-'))
    writeFileSync(join(home, 'live.iso'), iso.bytes)
  })
  afterEach(async () => {
    await Promise.all(children.map(child => new Promise(resolve => child.once('close', resolve) && child.kill('SIGTERM'))))
    children = []
    rmSync(home, { recursive: true, force: true })
  })
  const start = (...args: readonly string[]): Promise<string> => {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } })
    children.push(child)
    let said = ''
    return new Promise((resolve, reject) => {
      const hear = (chunk: Buffer): void => {
        said += chunk.toString('utf8')
        const found = /(?:boot: +|"url":")(http:\/\/[\d.]+:\d+)/.exec(said)
        if (found) resolve(found[1]!)
      }
      child.stdout.on('data', hear)
      child.stderr.on('data', hear)
      child.once('close', code => reject(new Error(`it ended with ${code}: ${said}`)))
    })
  }
  const up = (...args: readonly string[]) => start('up', '--port', '0', '--no-sim', '--metal3', '--home', join(home, 'state'), ...args)

  /** Asks for an image as a host does, and reads from it what a machine would boot with. */
  async function booted(): Promise<{ readonly url: string; readonly units: readonly string[] }> {
    const transport = connect(await loadConnection({ file: join(home, 'state', 'kubeconfig') }), wallClock)
    const kube = kubeClient(transport, { clock: wallClock, ids: randomIds })
    const key = { namespace: 'default', name: 'worker-0' }
    await kube.create(images, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'PreprovisioningImage',
      metadata: key,
      spec: { architecture: 'x86_64', acceptFormats: ['iso'] },
    } as never)
    let url: string | undefined
    for (let i = 0; i < 300 && url === undefined; i++) {
      url = (await kube.find(images, key))?.status?.imageUrl
      await wallClock.sleep(100)
    }
    await transport.close()
    const at = iso.places.get('images/ignition.img')! * sector
    const answer = await fetch(url ?? '', { headers: { range: `bytes=${at}-${at + room - 1}` } })
    expect(answer.status).toBe(206)
    const ignition = JSON.parse(
      readNewc(gunzipSync(Buffer.from(await answer.arrayBuffer())))
        .get('config.ign')!
        .bytes.toString(),
    ) as {
      systemd: { units: { name: string }[] }
    }
    return { url: url ?? '', units: ignition.systemd.units.map(({ name }) => name) }
  }

  it('ZT-012 X-030 up --live-iso builds what is asked for, and serves it where machines boot from', async () => {
    const boot = await up('--live-iso', `x86_64=${join(home, 'live.iso')}`, ...agent)
    const { url, units } = await booted()
    expect([url.startsWith(`${boot}/host-images/`), units]).toEqual([true, ['ironic-agent.service']])
  }, 120_000)
  it('ZT-012 ZT-024 host-images does the same by itself, beside an API that somebody else serves', async () => {
    await up()
    const port = 20_000 + (process.pid % 20_000)
    const own = `http://127.0.0.1:${port}`
    const where = ['--kubeconfig', join(home, 'state', 'kubeconfig'), '--boot-url', own, '--port', String(port), '--health-port', '0']
    await start('host-images', ...where, '--live-iso', `x86_64=${join(home, 'live.iso')}`, '--agent-url', 'http://127.0.0.1:6385', ...agent)
    const { url, units } = await booted()
    expect([url.startsWith(`${own}/host-images/`), units]).toEqual([true, ['ironic-agent.service']])
    expect(readFileSync(join(home, 'live.iso')).equals(iso.bytes), 'the live ISO is as it was').toBe(true)
  }, 120_000)
})
