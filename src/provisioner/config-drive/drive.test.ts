import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { configDrive } from './drive.ts'
import { driveContent } from './files.ts'
import { gzip } from './gzip.ts'

const host = { uid: 'u-1', namespace: 'metal3', name: 'worker-0' }
const papers = { userData: '#cloud-config\n', networkData: 'links:\n- id: eth0\n', metaData: '{"name":"other","rack":"7"}' }
const sector = 2_048

/** Reads a disc as systems do: the volume, its root, a folder after the other. */
function readDisc(disc: Buffer, volume: 16 | 17, path: readonly string[]): string | undefined {
  const named = (bytes: Buffer): string =>
    (volume === 17 ? Buffer.from(bytes).swap16().toString('utf16le') : bytes.toString('latin1').toLowerCase()).replace(/\.?;1$/, '')
  let [at, size] = [disc.readUInt32LE(volume * sector + 158), disc.readUInt32LE(volume * sector + 166)]
  for (const name of path) {
    let found: number | undefined
    for (let entry = at * sector; disc[entry]! > 0; entry += disc[entry]!) {
      const length = disc[entry + 32]!
      if (length > 1 && named(disc.subarray(entry + 33, entry + 33 + length)) === name) found = entry
    }
    if (found === undefined) return undefined
    ;[at, size] = [disc.readUInt32LE(found + 2), disc.readUInt32LE(found + 10)]
  }
  return disc.toString('utf8', at * sector, at * sector + size)
}

describe('configDrive()', () => {
  const disc = gunzipSync(Buffer.from(configDrive(driveContent(host, papers)), 'base64'))
  it.each([16, 17] as const)('is a disc on which systems find what they were told, by the names of volume %i', volume => {
    expect(JSON.parse(readDisc(disc, volume, ['openstack', 'latest', 'meta_data.json'])!)).toEqual({
      uuid: 'u-1',
      'metal3-namespace': 'metal3',
      'metal3-name': 'worker-0',
      'local-hostname': 'worker-0',
      local_hostname: 'worker-0',
      name: 'other',
      rack: '7',
    })
    expect(readDisc(disc, volume, ['openstack', 'latest', 'user_data'])).toBe(papers.userData)
    expect(JSON.parse(readDisc(disc, volume, ['openstack', 'latest', 'network_data.json'])!)).toEqual({ links: [{ id: 'eth0' }] })
  })
  it.each([0, 1, 65_535, 65_536, 200_000])('is packed so that others unpack the same %i bytes', size => {
    const bytes = Buffer.alloc(size, 'content ')
    expect(gunzipSync(gzip(bytes)).equals(bytes)).toBe(true)
  })
  it('leaves out what is not told, and is the same for the same content', () => {
    const empty = gunzipSync(Buffer.from(configDrive(driveContent(host, {})), 'base64'))
    expect(readDisc(empty, 16, ['openstack', 'latest', 'user_data'])).toBeUndefined()
    expect(configDrive(driveContent(host, papers))).toBe(configDrive(driveContent(host, papers)))
  })
  it('says which part cannot be read, and not what stands in it', () => {
    expect(() => driveContent(host, { networkData: 'c4n4ry' })).toThrow('networkData is neither')
    expect(() => driveContent(host, { metaData: '{"c4n4ry' })).not.toThrow('c4n4ry')
  })
  const noIsoinfo = spawnSync('isoinfo', ['-version']).error !== undefined
  it.skipIf(noIsoinfo)('satisfies isoinfo, by both spellings', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-drive-'))
    writeFileSync(join(folder, 'disc'), disc)
    const asks = (...args: string[]) => execFileSync('isoinfo', [...args, '-i', join(folder, 'disc')], { encoding: 'utf8' })
    expect(asks('-d')).toMatch(/Volume id: config-2/)
    expect(asks('-J', '-f').trim().split('\n').toSorted()).toContain('/openstack/latest/meta_data.json;1')
    expect(asks('-J', '-x', '/openstack/latest/user_data;1')).toBe(papers.userData)
    expect(asks('-f')).toContain('/OPENSTACK/LATEST/META_DATA.JSON;1')
    rmSync(folder, { recursive: true })
  })
})
