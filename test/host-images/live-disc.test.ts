import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ignitionArchive } from '../../src/boot/initrd/ignition-archive.ts'
import { withArchive } from '../../src/boot/initrd/with-archive.ts'
import { type LiveDisc, liveDisc } from '../../src/boot/iso/live-disc.ts'
import { minimalOf } from '../../src/boot/iso/minimal.ts'
import { readVolume } from '../../src/boot/iso/volume.ts'
import { bytesOf, memorySource, type Source } from '../../src/boot/source.ts'
import { Fault } from '../../src/core/fault.ts'
import { argumentsRoom, label, liveArguments, makeLiveIso, recipe, room } from '../../src/sim/images/live-iso.ts'
import { readNewc } from '../../src/sim/images/read-newc.ts'
import { seeded } from '../../src/sim/seed.ts'

const sector = 2_048
const ignition = { ignition: { version: '3.4.0' }, storage: { files: [{ path: '/etc/hello', contents: { source: 'data:,hello' } }] } }
const archive = ignitionArchive(ignition)
const rootfs = 'http://192.0.2.1:8090/host-images/sha256-12/rootfs.img'
const all = (source: Source): Promise<Buffer> => bytesOf(source, 0, source.size)
const iso = makeLiveIso()
const base = memorySource(iso.bytes)
const areaAt = iso.places.get('images/ignition.img')! * sector

/** What differs between two discs, as stretches. */
function differences(a: Buffer, b: Buffer): readonly (readonly [number, number])[] {
  const found: [number, number][] = []
  for (let i = 0; i < a.length; i++) {
    if (a[i] === b[i]) continue
    const last = found.at(-1)
    if (last && i - last[1] < sector) last[1] = i
    else found.push([i, i])
  }
  return found
}

/** Each border with a sector around it, to each other, and 500 parts that chance picks. */
async function agrees(source: Source, wanted: Buffer, inner: readonly number[]): Promise<void> {
  const random = seeded('ranges')
  const borders = [0, ...inner, wanted.length]
  const around = borders.flatMap(at => [-sector, -1, 0, 1, sector].map(by => Math.min(wanted.length, Math.max(0, at + by))))
  const ranges = [
    ...around.flatMap(a => around.map(b => [Math.min(a, b), Math.max(a, b)] as const)),
    ...Array.from({ length: 500 }, () => {
      const [a, b] = [random.int(wanted.length + 1), random.int(wanted.length + 1)]
      return [Math.min(a, b), Math.max(a, b)] as const
    }),
  ]
  expect(source.size).toBe(wanted.length)
  const wrong: (readonly [number, number])[] = []
  for (const range of ranges)
    if (!(await bytesOf(source, range[0], range[1] - range[0])).equals(wanted.subarray(...range))) wrong.push(range)
  expect(wrong).toEqual([])
}

describe('a live disc with an Ignition', () => {
  let disc: LiveDisc
  let made: Buffer
  beforeAll(async () => {
    disc = await liveDisc(base)
    made = await all(disc.with(archive))
  })

  it('ZT-012 has the Ignition where CoreOS looks for it, and every other byte of the base', () => {
    const area = made.subarray(areaAt, areaAt + room)
    const files = readNewc(gunzipSync(area.subarray(0, archive.length)))
    expect(files.get('config.ign')?.bytes.toString()).toBe(JSON.stringify(ignition))
    expect(area.subarray(archive.length).every(byte => byte === 0)).toBe(true)
    expect(
      Buffer.concat([made.subarray(0, areaAt), iso.bytes.subarray(areaAt, areaAt + room), made.subarray(areaAt + room)]).equals(iso.bytes),
    ).toBe(true)
    expect([disc.size, disc.room]).toEqual([iso.bytes.length, room])
  })
  it('ZT-012 leaves nothing of what was in the area before', async () => {
    const before = Buffer.from(iso.bytes)
    before.fill(0x55, areaAt, areaAt + room)
    expect((await all((await liveDisc(memorySource(before))).with(archive))).equals(made)).toBe(true)
  })
  it('X-030 gives any part of itself: every border with a sector around it, and 500 more', async () => {
    await agrees(disc.with(archive), made, [areaAt, areaAt + archive.length, areaAt + room])
  })
  it('X-030 is read by many at once, each at a place of its own', async () => {
    const source = disc.with(archive)
    const readers = Array.from({ length: 20 }, async (_, i) =>
      (await bytesOf(source, i * 997, 200_000)).equals(made.subarray(i * 997, i * 997 + 200_000)),
    )
    expect(await Promise.all(readers)).toEqual(Array.from({ length: 20 }, () => true))
  })
  it('refuses what does not fit, and takes what just fits', async () => {
    expect(() => disc.with(Buffer.alloc(room + 1))).toThrow(`${room + 1} bytes do not fit into ${room}`)
    expect((await all(disc.with(Buffer.alloc(room, 1)))).length).toBe(made.length)
  })
  it('finds the room where igninfo.json says that it is, as on s390x', async () => {
    const other = makeLiveIso({
      files: {
        'coreos/igninfo.json': Buffer.from('{"file":"images/cdboot.img","offset":4096,"length":8192}'),
        'images/cdboot.img': Buffer.alloc(20_000, 1),
      },
    })
    const with_ = await all((await liveDisc(memorySource(other.bytes))).with(archive))
    const at = other.places.get('images/cdboot.img')! * sector + 4_096
    expect(with_.subarray(at, at + archive.length).equals(archive)).toBe(true)
    expect(differences(with_, other.bytes).every(([from, to]) => from >= at && to < at + 8_192)).toBe(true)
  })
})

describe('a live disc without its root file system', () => {
  it('ZT-019 is made of the full one as its recipe says', async () => {
    const minimal = await minimalOf(base, await readVolume(base))
    expect((await all(minimal)).equals(iso.minimal)).toBe(true)
    expect(minimal.size).toBeLessThan(base.size - 250_000)
  })
  it('X-030 ZT-019 gives any part of itself: every border of the Ignition and of the kernel’s arguments, and 500 more', async () => {
    const source = (await liveDisc(await minimalOf(base, await readVolume(base)), rootfs)).with(archive)
    const volume = await readVolume(memorySource(iso.minimal))
    const placeOf = async (path: string) => (await volume.find(path))!
    const [area, kargs] = [await placeOf('images/ignition.img'), await placeOf('coreos/kargs.json')]
    // Put together by hand, with what its description says of the places.
    const wanted = Buffer.from(iso.minimal)
    wanted.fill(0, area.start, area.start + room)
    wanted.set(archive, area.start)
    const text = `ignition.firstboot ignition.platform.id=metal coreos.live.rootfs_url=${rootfs}`
    const borders = [area.start, area.start + archive.length, area.start + room, kargs.start, kargs.start + kargs.bytes]
    for (const path of ['EFI/fedora/grub.cfg', 'isolinux/isolinux.cfg']) {
      const { start } = await placeOf(path)
      const at = iso.minimal.indexOf(liveArguments, start)
      wanted.write(`${text}\n`.padEnd(argumentsRoom, '#'), at)
      borders.push(at, at + text.length, at + argumentsRoom)
    }
    const told = JSON.parse(wanted.toString('utf8', kargs.start, kargs.start + kargs.bytes)) as object
    wanted.write(JSON.stringify({ ...told, default: text }).padEnd(kargs.bytes), kargs.start)
    await agrees(source, wanted, borders)
  })
  it('ZT-019 tells the kernel where its root file system is, and no longer that it is on the disc', async () => {
    const made = await all((await liveDisc(await minimalOf(base, await readVolume(base)), rootfs)).with(archive))
    const wanted = `ignition.firstboot ignition.platform.id=metal coreos.live.rootfs_url=${rootfs}\n#`
    expect(made.toString('latin1').split(wanted).length - 1).toBe(2)
    expect(made.includes('coreos.liveiso')).toBe(false)
    const volume = await readVolume(memorySource(made))
    const kargs = (await volume.find('coreos/kargs.json'))!
    expect(JSON.parse(made.toString('utf8', kargs.start, kargs.start + kargs.bytes))).toMatchObject({
      default: wanted.slice(0, -2),
      size: argumentsRoom,
    })
    expect(volume.label).toBe(label)
    for (const path of ['EFI/fedora/grub.cfg', 'isolinux/isolinux.cfg']) {
      const { start, bytes } = (await volume.find(path))!
      const [before = '', after = ''] = made.toString('latin1', start, start + bytes).split(/coreos\.live[^#]*#+/)
      expect([before.includes(liveArguments), after]).toEqual([false, ' COREOS_KARG_EMBED_AREA\n}\n'])
    }
  })
  const wrong = async (bytes: Buffer): Promise<string> => {
    const source = memorySource(bytes)
    return minimalOf(source, await readVolume(source)).then(
      () => 'nothing',
      (error: unknown) => (error instanceof Fault ? error.message : `not a fault: ${String(error)}`),
    )
  }
  it('refuses a disc that somebody changed, one without a recipe, and a recipe that makes no sense', async () => {
    const changed = Buffer.from(iso.bytes)
    changed[iso.places.get('images/pxeboot/vmlinuz')! * sector]! ^= 1
    expect(await wrong(changed)).toContain('another digest')
    expect(await wrong(makeLiveIso({ files: { 'coreos/miniso.dat': undefined } }).bytes)).toContain('there is no coreos/miniso.dat')
    expect(await wrong(makeLiveIso({ files: { 'coreos/miniso.dat': Buffer.alloc(100) } }).bytes)).toContain('is something else')
    expect(await wrong(makeLiveIso({ files: { 'coreos/miniso.dat': Buffer.from('MINISO\0\0\u0002') } }).bytes)).toContain('version 2')
    const over = { ...iso, places: new Map([...iso.places].map(([path]) => [path, 20] as const)) }
    expect(await wrong(makeLiveIso({ files: { 'coreos/miniso.dat': recipe(over, iso) } }).bytes)).toMatch(/overlap|too few/)
  })
  it('refuses an address that a boot loader or the kernel would read otherwise', async () => {
    for (const bad of ['http://a/b c', 'http://a/$x', 'http://a/\\x', 'http://a/"'])
      await expect(liveDisc(base, bad)).rejects.toThrow('has a space, $, \\ or quote')
    await expect(liveDisc(base, `http://a/${'x'.repeat(argumentsRoom)}`)).rejects.toThrow('do not fit')
  })
  it('refuses a disc whose boot loaders have different arguments', async () => {
    const changed = Buffer.from(iso.bytes)
    changed.write('Coreos', changed.indexOf('coreos.liveiso', iso.places.get('isolinux/isolinux.cfg')! * sector))
    await expect(liveDisc(memorySource(changed), rootfs)).rejects.toThrow('different ones')
  })
})

describe('an initramfs with an Ignition', () => {
  it('ZT-018 is the base, and behind it the archive at a multiple of four', async () => {
    const made = await all(withArchive(memorySource(iso.initrd), archive))
    expect(made.subarray(0, iso.initrd.length).equals(iso.initrd)).toBe(true)
    expect(made.length % 4).toBe(0)
    expect(readNewc(gunzipSync(made.subarray(Math.ceil(iso.initrd.length / 4) * 4))).has('config.ign')).toBe(true)
  })
  it('X-030 ZT-018 gives any part of itself: every border with a sector around it, and 500 more', async () => {
    const { initrd } = iso
    const behind = Math.ceil(initrd.length / 4) * 4
    const wanted = Buffer.concat([initrd, Buffer.alloc(behind - initrd.length), archive])
    await agrees(withArchive(memorySource(initrd), archive), wanted, [initrd.length, behind])
  })
  it('X-030 has the same bytes for the same Ignition', () => expect(Buffer.compare(ignitionArchive(ignition), archive)).toBe(0))
})

describe('what is no live disc', () => {
  const wrong = (bytes: Buffer): Promise<string> =>
    liveDisc(memorySource(bytes), rootfs).then(
      () => 'nothing',
      (error: unknown) => (error instanceof Fault ? error.message : `not a fault: ${String(error)}`),
    )
  it('is refused with the reason', async () => {
    expect(await wrong(Buffer.alloc(100_000))).toContain('no volume descriptor')
    expect(await wrong(Buffer.alloc(0))).toContain('no volume descriptor')
    expect(await wrong(iso.bytes.subarray(0, iso.bytes.length - sector))).toContain('it says that it has')
    expect(await wrong(makeLiveIso({ files: { 'images/ignition.img': undefined } }).bytes)).toContain('there is no images/ignition.img')
    expect(await wrong(makeLiveIso({ files: { 'coreos/igninfo.json': Buffer.from('{"file":7}') } }).bytes)).toContain('does not say where')
    expect(await wrong(makeLiveIso({ files: { 'coreos/igninfo.json': Buffer.from('{') } }).bytes)).toContain('no JSON')
    expect(await wrong(makeLiveIso({ files: { 'coreos/igninfo.json': Buffer.alloc(70_000, ' ') } }).bytes)).toContain('more than 65536')
    expect(await wrong(makeLiveIso({ files: { 'coreos/kargs.json': undefined } }).bytes)).toContain('there is no coreos/kargs.json')
    expect(await wrong(makeLiveIso({ files: { 'coreos/kargs.json': Buffer.from('{"size":99999,"files":[]}') } }).bytes)).toContain(
      'makes no sense',
    )
  })
  it('costs neither memory nor sense, whatever its headers say', async () => {
    // Bytes of descriptors, folders and the small files that say where things are.
    const places = [
      16 * sector,
      20 * sector,
      ...['coreos/igninfo.json', 'coreos/kargs.json', 'coreos/miniso.dat'].map(path => iso.places.get(path)! * sector),
    ]
    let largest = 0
    const watched = (bytes: Buffer): Source => ({
      size: bytes.length,
      async *read(start, end) {
        largest = Math.max(largest, end - start)
        yield* memorySource(bytes).read(start, end)
      },
    })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...places),
        fc.array(fc.tuple(fc.nat(3 * sector), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (place, changes) => {
          const bytes = Buffer.from(iso.bytes)
          for (const [at, value] of changes) bytes[place + at] = value
          const source = watched(bytes)
          try {
            const volume = await readVolume(source)
            // Reading the whole to check its digest is no header.
            await liveDisc(source, rootfs)
            const before = largest
            await minimalOf(source, volume)
            largest = before
          } catch (error) {
            expect(error).toBeInstanceOf(Fault)
          }
        },
      ),
      { numRuns: 300, seed: 13 },
    )
    expect(largest).toBeLessThanOrEqual(1 << 20)
  })
})
