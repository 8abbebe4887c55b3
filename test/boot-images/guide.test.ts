import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { platforms } from '../../src/policy/boot-images/platforms/index.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/boot-images.md'), 'utf8')

it('BI-003 BI-012 BI-049 BI-052 BI-101 BI-102 BI-110 T-56 the guide has the seven headings that are asked for', () => {
  const headings = guide.split('\n').flatMap(line => (line.startsWith('## ') ? [line.slice(3)] : []))
  for (const heading of [
    'Updating by hand without MachineSets',
    'Platforms that are not supported',
    'vSphere installed by hand (UPI)',
    'Going back to an earlier image',
    'Before a downgrade',
    'Hive and its back door',
    'Changes of the stub that get lost',
  ])
    expect(headings).toContain(heading)
})
it('BI-051 the guide names every platform', () => {
  const said = guide.toLowerCase().replaceAll(' ', '')
  for (const { type } of platforms) expect(said).toContain(type.toLowerCase())
})
