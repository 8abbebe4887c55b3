import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { testClock } from '../../test/runtime/clock.ts'
import { type HttpRequest, silent } from '../ports/index.ts'
import { bootAddress, bootBase } from './boot-address.ts'
import { machineFiles } from './collect/files.ts'
import { collect } from './collect/index.ts'
import { readLldp } from './collect/lldp.ts'
import { probe } from './probe.ts'

const uuid = '38947555-7742-3448-3784-823347823834'
const tlv = (type: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(type << 1) | (value.length >> 8), value.length & 255]), value])
const frame = Buffer.concat([
  Buffer.from('0180c200000eaabbccddeeff88cc', 'hex'),
  tlv(1, Buffer.from('04aabbccddeeff', 'hex')),
  tlv(2, Buffer.from('\u0005Ethernet7')),
  tlv(3, Buffer.from([0, 120])),
  tlv(4, Buffer.from('to rack 4')),
  tlv(5, Buffer.from('leaf-1')),
  tlv(0, Buffer.alloc(0)),
])
const length = Buffer.alloc(8)
length.writeBigUInt64LE(BigInt(frame.length))

const tree: Readonly<Record<string, string | Buffer>> = {
  '/sys/class/dmi/id/product_uuid': `${uuid.toUpperCase()}\n`,
  '/sys/class/dmi/id/sys_vendor': 'Lenovo\n',
  '/sys/class/dmi/id/product_name': 'SR650 V3\n',
  '/sys/class/dmi/id/product_serial': 'J30\n',
  '/sys/class/dmi/id/product_sku': 'To Be Filled By O.E.M.\n',
  '/sys/class/dmi/id/bios_version': '2.1\n',
  '/proc/meminfo': 'MemTotal:       263849216 kB\nMemFree: 1 kB\n',
  '/proc/cpuinfo': [0, 1, 2, 3]
    .map(n => `processor\t: ${n}\nvendor_id\t: GenuineIntel\nmodel name\t: Xeon: 6338\nphysical id\t: ${n >> 1}\ncore id\t\t: 0\n`)
    .join('\n'),
  '/proc/cmdline': 'initrd=initramfs rackwright.boot=https://boot.example/boot/a.b console=tty0\n',
  '/sys/class/net/eth0/address': '02:5c:00:00:00:01\n',
  '/sys/class/net/eth0/carrier': '1\n',
  '/sys/class/net/eth0/ifindex': '2\n',
  '/sys/class/net/eth0/device/vendor': '0x8086\n',
  '/sys/class/net/docker0/address': '02:42:00:00:00:01\n',
  '/run/systemd/netif/lldp/2': Buffer.concat([length, frame]),
  '/sys/class/block/nvme0n1/size': '1875385008\n',
  '/sys/class/block/nvme0n1/queue/rotational': '0\n',
  '/sys/class/block/nvme0n1/device/model': 'P5800   \n',
  '/sys/class/block/nvme0n1p1/size': '2048\n',
  '/sys/class/block/sr0/size': '2048\n',
  '/sys/class/block/sr0/removable': '1\n',
  '/sys/class/block/sr0/device/model': 'Virtual CD\n',
}
const root = mkdtempSync(join(tmpdir(), 'rackwright-probe-'))
for (const [path, content] of Object.entries(tree)) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}
afterAll(() => rmSync(root, { recursive: true, force: true }))
const files = machineFiles(root)
const addresses = () =>
  ({
    eth0: [
      { address: '10.0.0.5', internal: false },
      { address: 'fe80::1', internal: false },
    ],
  }) as never

describe('collect()', () => {
  it('BP-053 finds what the kernel shows of a machine, and leaves out what is no hardware of its own', async () => {
    expect(await collect(files, uuid, addresses)).toEqual({
      systemUUID: uuid,
      system: { manufacturer: 'Lenovo', model: 'SR650 V3', serialNumber: 'J30', biosVersion: '2.1' },
      processors: [
        { id: 0, vendor: 'GenuineIntel', model: 'Xeon: 6338', cores: 1, threads: 2 },
        { id: 1, vendor: 'GenuineIntel', model: 'Xeon: 6338', cores: 1, threads: 2 },
      ],
      interfaces: [
        {
          name: 'eth0',
          macAddress: '02:5c:00:00:00:01',
          addresses: ['10.0.0.5'],
          carrier: 'up',
          neighbors: [{ chassis: 'aa:bb:cc:dd:ee:ff', port: 'Ethernet7', portDescription: 'to rack 4', systemName: 'leaf-1' }],
        },
      ],
      disks: [{ name: 'nvme0n1', bytes: 960197124096, rotational: false, model: 'P5800' }],
      memoryBytes: 270181597184,
    })
  })
  it('finds nothing, and does not fail, where there is nothing', async () => {
    expect(await collect(machineFiles('/nowhere'), uuid, () => ({}))).toEqual({
      systemUUID: uuid,
      system: {},
      processors: [],
      interfaces: [],
      disks: [],
      memoryBytes: 0,
    })
  })
})

describe('readLldp()', () => {
  it('reads no byte beyond a frame, however it is cut', () => {
    for (let end = 0; end <= frame.length; end++) expect(() => readLldp(frame.subarray(0, end))).not.toThrow()
    expect(readLldp(Buffer.alloc(64))).toBeUndefined()
  })
})

describe('bootAddress()', () => {
  it('is what the boot script said', async () => expect(await bootAddress(files)).toBe('https://boot.example/boot/a.b'))
  it('is where firmware fetched the image, where that is known', async () => {
    const other = mkdtempSync(join(root, 'efi-'))
    const variable = join(other, 'sys/firmware/efi/efivars/StubDeviceURL-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f')
    mkdirSync(dirname(variable), { recursive: true })
    writeFileSync(variable, Buffer.concat([Buffer.alloc(4), Buffer.from('https://boot.example/boot/c.d/os.efi\0', 'utf16le')]))
    expect(await bootAddress(machineFiles(other))).toBe('https://boot.example/boot/c.d')
  })
  it('is no address that carries no ticket', () => expect(bootBase({ url: 'https://boot.example/artifacts/x/os.efi' })).toBeUndefined())
})

describe('probe()', () => {
  const started = (answers: readonly number[], more: object = {}) => {
    const clock = testClock()
    const asked: HttpRequest[] = []
    const stop = new AbortController()
    const connect = (base: string) => async (request: HttpRequest) => {
      asked.push({ ...request, url: base + request.url })
      const status = answers[asked.length - 1] ?? 200
      if (status === 0) throw new Error('connection refused')
      return { status, headers: {}, body: new Uint8Array() }
    }
    const running = probe({ clock, log: silent, files, connect, addresses, signal: stop.signal, ...more })
    return { clock, asked, stop, running }
  }
  it('registers, reports, and goes on until it is stopped', async () => {
    const { clock, asked, stop, running } = started([])
    await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(2)
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://boot.example/boot/a.b/register',
      'POST https://boot.example/boot/a.b/bootstate',
    ])
    expect(JSON.parse(String(Buffer.from(asked[1]!.body!)))).toEqual({ systemUUID: uuid, booted: true })
    await clock.advance(30_000)
    await expect.poll(() => asked.length, { timeout: 60_000 }).toBe(3)
    stop.abort(new Error('switched off'))
    await running
  })
  it('tries again until the boot server takes it', async () => {
    const { clock, asked, stop, running } = started([0, 503, 201, 200])
    await expect
      .poll(
        async () => {
          await clock.advance(5_000)
          return asked.map(({ url }) => url.split('/').at(-1))
        },
        { timeout: 60_000 },
      )
      .toEqual(expect.arrayContaining(['register', 'register', 'register', 'bootstate']))
    stop.abort(new Error('switched off'))
    await running
  })
  it('registers for no other machine', async () => {
    await expect(started([], { uuid: '11111111-2222-3333-4444-555555555555' }).running).rejects.toMatchObject({
      code: 'probe/other-machine',
    })
  })
  it('says what is missing', async () => {
    const none = machineFiles('/nowhere')
    await expect(started([], { files: none }).running).rejects.toMatchObject({ code: 'probe/no-registry' })
    await expect(started([], { files: none, registry: 'https://boot.example' }).running).rejects.toMatchObject({ code: 'probe/no-uuid' })
  })
})
