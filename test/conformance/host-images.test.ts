import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ignitionArchive } from '../../src/boot/initrd/ignition-archive.ts'
import { withArchive } from '../../src/boot/initrd/with-archive.ts'
import { liveDisc } from '../../src/boot/iso/live-disc.ts'
import { minimalOf } from '../../src/boot/iso/minimal.ts'
import { readVolume } from '../../src/boot/iso/volume.ts'
import { bytesOf, memorySource, type Source } from '../../src/boot/source.ts'
import { label, makeLiveIso } from '../../src/sim/images/live-iso.ts'

const missing = ['xorriso', 'isoinfo', 'cpio'].filter(tool => spawnSync(tool, ['--version']).error !== undefined)
const ignition = { ignition: { version: '3.4.0' }, passwd: { users: [{ name: 'core', sshAuthorizedKeys: ['ssh-ed25519 AAAA'] }] } }
const rootfs = 'http://192.0.2.1:8090/host-images/sha256-12/rootfs.img'

describe.skipIf(missing.length > 0)(
  `host images as real tools read them${missing.length > 0 ? `: ${missing.join(', ')} not here` : ''}`,
  () => {
    let folder = ''
    const iso = makeLiveIso()
    const base = memorySource(iso.bytes)
    const at = (name: string): string => join(folder, name)
    const keep = async (name: string, source: Source): Promise<string> => {
      writeFileSync(at(name), await bytesOf(source, 0, source.size))
      return at(name)
    }
    const run = (tool: string, args: readonly string[], input?: Buffer): Buffer =>
      execFileSync(tool, args, { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'], ...(input ? { input } : {}) })
    /** As xorriso finds it, without looking at anything of ours. */
    const extracted = (disc: string, path: string): Buffer => {
      run('xorriso', ['-osirrox', 'on', '-indev', disc, '-extract', path, at('out')])
      const bytes = readFileSync(at('out'))
      rmSync(at('out'), { force: true })
      return bytes
    }
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'host-images-'))
    })
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    it('ZT-012 xorriso and cpio find the Ignition on the full disc, isoinfo its label and files', async () => {
      const disc = await keep('full.iso', (await liveDisc(base)).with(ignitionArchive(ignition)))
      const area = extracted(disc, '/IMAGES/IGNITION.IMG')
      expect(area.length).toBe(256 << 10)
      expect(run('cpio', ['-i', '--to-stdout', '--quiet', 'config.ign'], gunzipSync(area)).toString()).toBe(JSON.stringify(ignition))
      expect(extracted(disc, '/IMAGES/PXEBOOT/ROOTFS.IMG').equals(iso.rootfs)).toBe(true)
      expect(run('isoinfo', ['-d', '-i', disc]).toString()).toContain(`Volume id: ${label}`)
      expect(run('isoinfo', ['-f', '-i', disc]).toString()).toContain('/COREOS/IGNINFO.JSO;1')
    })
    it('ZT-019 xorriso finds no root file system on the minimal disc, and its address in each boot loader', async () => {
      const small = await minimalOf(base, await readVolume(base))
      const disc = await keep('small.iso', (await liveDisc(small, rootfs)).with(ignitionArchive(ignition)))
      const files = run('isoinfo', ['-f', '-i', disc]).toString()
      expect([files.includes('ROOTFS'), files.includes('/IMAGES/PXEBOOT/VMLINUZ')]).toEqual([false, true])
      for (const path of ['/EFI/FEDORA/GRUB.CFG', '/ISOLINUX/ISOLINUX.CFG']) {
        const text = extracted(disc, path).toString()
        expect([text.includes(`coreos.live.rootfs_url=${rootfs}\n`), text.includes('coreos.liveiso')]).toEqual([true, false])
      }
      const found = run('cpio', ['-i', '--to-stdout', '--quiet', 'config.ign'], gunzipSync(extracted(disc, '/IMAGES/IGNITION.IMG')))
      expect(found.toString()).toBe(JSON.stringify(ignition))
    })
    it('ZT-018 cpio unpacks what is behind the initramfs', async () => {
      const made = readFileSync(await keep('initrd.img', withArchive(memorySource(iso.initrd), ignitionArchive(ignition))))
      const behind = gunzipSync(made.subarray(Math.ceil(iso.initrd.length / 4) * 4))
      expect(run('cpio', ['-itv', '--quiet'], behind).toString()).toMatch(/^-rw-------.*config\.ign\n$/)
    })
  },
)
