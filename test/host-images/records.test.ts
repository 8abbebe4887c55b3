import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordFolder } from '../../src/boot/host-images/record-folder.ts'
import { seal } from '../../src/net/seal.ts'
import type { ImageRecord } from '../../src/ports/host-images.ts'
import { silent } from '../../src/ports/index.ts'

const key = Buffer.alloc(32, 'k')
const record: ImageRecord = {
  order: {
    uid: 'u-1',
    architecture: 'x86_64',
    format: 'iso',
    minimal: false,
    ignition: { ignition: { version: '3.2.0' }, secret: 'hush' },
  },
  wish: 'w',
  settings: 's',
  conflicts: [],
}
let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rackwright-records-'))
})
afterEach(() => rmSync(root, { recursive: true }))

describe('what images of hosts were made of, in a folder', () => {
  it('S12 is sealed: the file tells nothing, opens under its own name alone, and not with another key', async () => {
    await recordFolder(root, key, silent).save(record)
    const written = readFileSync(join(root, 'u-1.sealed'))
    expect(written.includes('hush')).toBe(false)
    writeFileSync(join(root, 'u-2.sealed'), written)
    expect(await recordFolder(root, key, silent).load('u-2')).toBeUndefined()
    expect(await recordFolder(root, Buffer.alloc(32, 'x'), silent).load('u-1')).toBeUndefined()
  })
  it('is there after a restart, for nobody else to read, and is gone with its image', async () => {
    const folder = join(root, 'deep', 'images')
    await recordFolder(folder, key, silent).save(record)
    expect(await recordFolder(folder, key, silent).load('u-1')).toEqual(record)
    expect([statSync(folder).mode & 0o777, ...readdirSync(folder).map(name => statSync(join(folder, name)).mode & 0o777)]).toEqual([
      0o700, 0o600,
    ])
    await recordFolder(folder, key, silent).drop('u-1')
    expect(readdirSync(folder)).toEqual([])
    expect(await recordFolder(folder, key, silent).load('u-1')).toBeUndefined()
  })
  it('that is damaged is as good as none, and none of it is in the log', async () => {
    const lines: string[] = []
    const say = (what: string, about?: object): void => void lines.push(what + JSON.stringify(about))
    const folder = recordFolder(root, key, { debug: say, info: say, warn: say, error: say })
    writeFileSync(join(root, 'u-1.sealed'), 'hush hush')
    expect(await folder.load('u-1')).toBeUndefined()
    writeFileSync(join(root, 'u-1.sealed'), seal(key, Buffer.from('{"order":{"uid":"u-1"}}'), 'u-1'))
    expect(await folder.load('u-1')).toBeUndefined()
    expect(lines.length).toBe(1)
    expect(lines.join()).not.toContain('hush')
  })
  it('never leaves its folder, whatever an image is called', async () => {
    await recordFolder(join(root, 'in'), key, silent).save({ ...record, order: { ...record.order, uid: '../out' } })
    expect(readdirSync(root)).toEqual([])
  })
})
