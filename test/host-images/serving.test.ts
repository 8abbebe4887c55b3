import { beforeAll, describe, expect, it } from 'vitest'
import { openBase } from '../../src/boot/host-images/base.ts'
import { hostImageHandler } from '../../src/boot/host-images/handler.ts'
import { openShelf, type Shelf } from '../../src/boot/host-images/shelf.ts'
import { memorySource } from '../../src/boot/source.ts'
import type { HttpResponse } from '../../src/ports/index.ts'
import { makeLiveIso } from '../../src/sim/images/live-iso.ts'

const baseUrl = 'http://192.0.2.1:7480'
const iso = makeLiveIso()
const ignition = { ignition: { version: '3.2.0' } }
const order = { uid: 'uid-1', architecture: 'x86_64', format: 'iso', minimal: false, ignition } as const

async function opened(key = 1): Promise<Shelf> {
  const shelf = openShelf({ baseUrl, key: Buffer.alloc(32, key) })
  shelf.add('x86_64', await openBase(memorySource(iso.bytes), 'x86_64', digest => `${baseUrl}/host-images/${digest}/rootfs.img`))
  return shelf
}
const ask = (shelf: Shelf, url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  hostImageHandler(shelf)({ method, url: url.replace(baseUrl, ''), headers })
async function bytes(response: HttpResponse | undefined): Promise<Buffer> {
  const parts: Uint8Array[] = []
  const body = response?.body ?? new Uint8Array()
  for await (const part of body instanceof Uint8Array ? [body] : body) parts.push(part)
  return Buffer.concat(parts)
}

describe('images of hosts over HTTP', () => {
  let shelf: Shelf
  let url = ''
  beforeAll(async () => {
    shelf = await opened()
    url = shelf.keep(order).imageUrl
  })
  it('X-030 IC-04 HEAD, the whole and a part agree', async () => {
    const whole = await bytes(ask(shelf, url))
    const head = ask(shelf, url, {}, 'HEAD')
    expect([head?.status, head?.headers['content-length'], (await bytes(head)).length]).toEqual([200, String(whole.length), 0])
    expect(whole.length).toBe(iso.bytes.length)
    const part = ask(shelf, url, { range: 'bytes=32768-34815' })
    expect([part?.status, part?.headers['content-range']]).toEqual([206, `bytes 32768-34815/${whole.length}`])
    expect((await bytes(part)).equals(whole.subarray(32_768, 34_816))).toBe(true)
    expect(ask(shelf, url, { range: `bytes=${whole.length}-` })?.status).toBe(416)
  })
  it('X-030 after a restart a part of the same image is a part of the same image', async () => {
    const etag = ask(shelf, url)?.headers['etag'] ?? ''
    const again = await opened()
    expect(again.keep(order).imageUrl).toBe(url)
    expect(ask(again, url, { range: 'bytes=0-9', 'if-range': etag })?.status).toBe(206)
    expect(ask(again, url, { range: 'bytes=0-9', 'if-range': '"another"' })?.status).toBe(200)
  })
  it('I14 nothing is served of what nobody wants any longer, whoever should have dropped it', () => {
    let isWanted = true
    const { imageUrl } = shelf.keep({ ...order, uid: 'uid-5' }, () => isWanted)
    expect(ask(shelf, imageUrl)?.status).toBe(200)
    isWanted = false
    expect(ask(shelf, imageUrl)?.status).toBe(404)
  })
  it('X-030 another content, another host and another key are other addresses', async () => {
    const others = [
      shelf.keep({ ...order, uid: 'uid-2' }).imageUrl,
      (await opened()).keep({ ...order, ignition: { ignition: { version: '3.3.0' } } }).imageUrl,
      (await opened(2)).keep(order).imageUrl,
    ]
    expect(new Set([url, ...others]).size).toBe(4)
  })
  it('serves nothing that was not made, and names nothing', async () => {
    const digest = /host-images\/(\w{32})-/.exec(url)![1]!
    for (const path of [
      '/host-images/',
      `/host-images/${digest}-${'0'.repeat(32)}/live.iso`,
      url.replace('live.iso', 'config.ign'),
      url.replace('live.iso', 'rootfs.img'),
    ]) {
      const found = ask(shelf, path)
      expect([found?.status, (await bytes(found)).toString()]).toEqual([404, 'There is nothing here.\n'])
    }
    expect(ask(shelf, '/boot/x')).toBeUndefined()
    expect(ask(shelf, url, {}, 'PUT')?.status).toBe(405)
  })
  it('ZT-018 ZT-019 gives out the kernel and the root file system as they are on the disc', async () => {
    const { kernelUrl = '', kernelParams = '' } = shelf.keep({ ...order, uid: 'uid-3', format: 'initrd' })
    const rootfs = /coreos\.live\.rootfs_url=(\S+)/.exec(kernelParams)?.[1] ?? ''
    expect((await bytes(ask(shelf, rootfs))).equals(iso.rootfs)).toBe(true)
    expect((await bytes(ask(shelf, kernelUrl))).toString('latin1', 0, 6)).toBe('kernel')
    const { imageUrl } = shelf.keep({ ...order, uid: 'uid-4', minimal: true })
    const minimal = await bytes(ask(shelf, imageUrl))
    expect([minimal.includes(`coreos.live.rootfs_url=${rootfs}`), minimal.length < iso.bytes.length - 250_000]).toEqual([true, true])
  })
  it('ZT-027 what is dropped is gone, and a new content of the same host takes the place of the old', async () => {
    const own = await opened()
    const first = own.keep(order).imageUrl
    const second = own.keep({ ...order, ignition: { ignition: { version: '3.4.0' } } }).imageUrl
    expect([ask(own, first)?.status, ask(own, second)?.status]).toEqual([404, 200])
    own.drop(order.uid)
    expect(ask(own, second)?.status).toBe(404)
  })
  it('says why a minimal ISO cannot be made where the base has no recipe for one', async () => {
    const plain = openShelf({ baseUrl, key: Buffer.alloc(32) })
    const without = makeLiveIso({ files: { 'coreos/miniso.dat': undefined } })
    plain.add('x86_64', await openBase(memorySource(without.bytes), 'x86_64', () => `${baseUrl}/rootfs.img`))
    expect(() => plain.keep({ ...order, minimal: true })).toThrow('there is no coreos/miniso.dat')
    expect(plain.keep(order).imageUrl).toContain('/live.iso')
  })
  it('says why not where a live ISO is for another architecture, cut off, or none', async () => {
    const arm = makeLiveIso({ files: { 'EFI/BOOT/BOOTAA64.EFI': Buffer.from('MZ') } })
    const open = (bytes: Buffer) => openBase(memorySource(bytes), 'x86_64', () => baseUrl)
    await expect(open(arm.bytes)).rejects.toThrow('Cannot make images for x86_64: the live ISO is for aarch64')
    await expect(open(iso.bytes.subarray(0, 100_000))).rejects.toThrow('it says that it has')
    await expect(open(makeLiveIso({ files: { 'images/pxeboot/initrd.img': undefined } }).bytes)).rejects.toThrow(
      'no images/pxeboot/initrd.img',
    )
  })
  it('says so where not even the address of its Ignition fits', async () => {
    const tiny = openShelf({ baseUrl, key: Buffer.alloc(32) })
    tiny.add(
      'x86_64',
      await openBase(memorySource(makeLiveIso({ files: { 'images/ignition.img': Buffer.alloc(64) } }).bytes), 'x86_64', () => baseUrl),
    )
    expect(() => tiny.keep(order)).toThrow('not even a pointer to its Ignition fits into 64 bytes')
  })
})
