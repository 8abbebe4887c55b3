import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordFolder } from '../../src/boot/host-images/record-folder.ts'
import type { ImageRecord } from '../../src/ports/host-images.ts'
import { silent } from '../../src/ports/index.ts'

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
  it('is there after a restart, for nobody else to read, and is gone with its image', async () => {
    const folder = join(root, 'deep', 'images')
    await recordFolder(folder, silent).save(record)
    expect(await recordFolder(folder, silent).load('u-1')).toEqual(record)
    expect([statSync(folder).mode & 0o777, ...readdirSync(folder).map(name => statSync(join(folder, name)).mode & 0o777)]).toEqual([
      0o700, 0o600,
    ])
    await recordFolder(folder, silent).drop('u-1')
    expect(readdirSync(folder)).toEqual([])
    expect(await recordFolder(folder, silent).load('u-1')).toBeUndefined()
  })
  it('that is damaged is as good as none, and none of it is in the log', async () => {
    const lines: string[] = []
    const say = (what: string, about?: object): void => void lines.push(what + JSON.stringify(about))
    const folder = recordFolder(root, { debug: say, info: say, warn: say, error: say })
    writeFileSync(join(root, 'u-1.json'), 'hush hush')
    expect(await folder.load('u-1')).toBeUndefined()
    writeFileSync(join(root, 'u-1.json'), '{"order":{"uid":"u-1"}}')
    expect(await folder.load('u-1')).toBeUndefined()
    expect(lines.length).toBe(1)
    expect(lines.join()).not.toContain('hush')
  })
  it('never leaves its folder, whatever an image is called', async () => {
    await recordFolder(join(root, 'in'), silent).save({ ...record, order: { ...record.order, uid: '../out' } })
    expect(readdirSync(root)).toEqual([])
  })
})
