import { describe, expect, it } from 'vitest'
import { takesMd5 } from './image-info.ts'

const url = 'https://images.example/os.qcow2'
const md5 = 'd41d8cd98f00b204e9800998ecf8427e'

describe('whether an agent is told that MD5 is all there is', () => {
  it.each([
    ['a file with checksums of no kind, which are md5 as the API says', { checksum: `${url}.md5sum` }, true],
    ['a checksum of no kind', { checksum: md5 }, true],
    ['a checksum of no kind that is as long as sha256', { checksum: md5 + md5 }, false],
    ['a checksum of no kind that is as long as sha512', { checksum: (md5 + md5).repeat(2) }, false],
    ['md5', { checksum: `${url}.sums`, checksumType: 'md5' }, true],
    ['sha256', { checksum: `${url}.sums`, checksumType: 'sha256' }, false],
    ['a checksum that says itself what it is', { checksum: md5, checksumType: 'auto' }, true],
    ['a file that says itself what it is', { checksum: `${url}.sums`, checksumType: 'auto' }, false],
    ['no checksum at all', {}, false],
  ])('%s', (_, image, takes) => expect(takesMd5({ url, ...image })).toBe(takes))
  it('no image', () => expect(takesMd5(undefined)).toBe(false))
})
