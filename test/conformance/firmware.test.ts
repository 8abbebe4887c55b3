import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Serving, serve } from '../../src/net/server.ts'
import { wallClock } from '../../src/net/wall-clock.ts'
import { type HttpRequest, silent } from '../../src/ports/index.ts'
import { type BootWorld, bootWorld } from '../boot/world.ts'
import { firmwareRuns, httpOnly, missing, program } from './firmware.ts'

if (missing.length > 0) console.log(`real UEFI firmware is skipped: ${missing.join(' and ')} not installed`)

describe.skipIf(missing.length > 0)('real UEFI firmware (OVMF)', () => {
  let world: BootWorld
  let serving: Serving
  const asked: HttpRequest[] = []
  const folder = mkdtempSync(join(tmpdir(), 'rackwright-disc-'))
  beforeAll(async () => {
    world = await bootWorld({ files: { uki: readFileSync(program) }, addresses: ['127.0.0.1'] })
    const handler = (request: HttpRequest, peer: { readonly address: string }) => {
      asked.push(request)
      return world.boot.handler(request, peer)
    }
    serving = await serve({ host: '127.0.0.1', port: 0, clock: wallClock, log: silent, handler })
  })
  afterAll(async () => {
    await serving?.close()
    await world?.end()
    rmSync(folder, { recursive: true, force: true })
  })
  const network = (path: string): string[] => [
    '-netdev',
    `user,id=n0,bootfile=http://10.0.2.2:${serving.port}${path}`,
    '-device',
    'virtio-net-pci,netdev=n0,romfile=',
    ...httpOnly,
  ]

  it('BP-013 X-015 boots a UKI over HTTP from its ticketed address: HEAD, then GET', async () => {
    asked.length = 0
    const path = `${world.ticket()}/os.efi`
    expect(await firmwareRuns(network(path))).toBe('the program')
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([`HEAD ${path}`, `GET ${path}`])
    expect(await world.served()).toMatchObject({ fetches: [{ what: 'uki', done: expect.any(String) }] })
  })
  it('X-015 BP-003 stops in the shell once the attempt has ended', async () => {
    await world.note({ step: 'Ended' })
    asked.length = 0
    expect(await firmwareRuns(network(`${world.ticket()}/os.efi`))).toBe('the shell')
    expect(asked.length).toBeGreaterThan(0)
  })
  it('BP-074 boots a disc that was made of a UKI', async () => {
    await world.note({ attempt: 2, step: 'Running', method: 'VirtualMedia' })
    const disc = await world.ask(`${world.ticket({ attempt: 2 })}/os.iso`)
    expect(disc.status).toBe(200)
    writeFileSync(join(folder, 'os.iso'), disc.bytes)
    const drive = `if=none,id=cd,media=cdrom,readonly=on,format=raw,file=${join(folder, 'os.iso')}`
    expect(await firmwareRuns(['-device', 'ide-cd,bus=ide.1,drive=cd', '-drive', drive, '-net', 'none'])).toBe('the program')
  })
})
