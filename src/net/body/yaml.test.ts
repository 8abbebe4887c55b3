import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/status.ts'
import { decodeYaml } from './yaml.ts'

const yaml = (text: string) => decodeYaml(Buffer.from(text))
const refused = (text: string): number => {
  try {
    yaml(text)
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return 0
}

describe('decodeYaml()', () => {
  it('reads booleans of YAML 1.1 as kubectl does, and leaves dates and quoted words alone', () => {
    expect(yaml('a: on\nb: No\nc: "yes"\nd: 2001-01-01\ne: 1:30\nf: 0777\ng: ~\nh: !!binary aGk=')).toEqual({
      a: true,
      b: false,
      c: 'yes',
      d: '2001-01-01',
      e: '1:30',
      f: 511,
      g: null,
      h: 'aGk=',
    })
  })

  it('turns every key into a string', () => expect(yaml('1: a\ntrue: b\nnull: c')).toEqual({ '1': 'a', true: 'b', null: 'c' }))

  it('unfolds aliases and merge keys', () => {
    expect(yaml('base: &b {x: 1, z: 2}\nd:\n  <<: *b\n  x: 3\ne: *b')).toEqual({
      base: { x: 1, z: 2 },
      d: { x: 3, z: 2 },
      e: { x: 1, z: 2 },
    })
  })

  const bombs: Record<string, string> = {
    'an alias bomb': `a: &a [1,1,1,1,1,1,1,1,1]\n${'bcdefg'
      .split('')
      .map((n, i) => `${n}: &${n} [${Array(9).fill(`*${'abcdef'[i]}`).join(',')}]`)
      .join('\n')}`,
    'an alias of its own parent': 'a: &a [*a]',
    'deep brackets': '['.repeat(200_000),
    'brackets that close too seldom': '[[]'.repeat(80_000),
    'deep block lists': `${'- '.repeat(100_000)}x`,
    '300 levels of flow mappings': `${'{a: '.repeat(300)}1${'}'.repeat(300)}`,
    'anchors upon anchors': '&a '.repeat(20_000),
    'more than 50,000 keys': Array.from({ length: 51_000 }, (_, i) => `${i.toString(36)}:`).join('\n'),
    'a number that JSON cannot say': 'a: .inf',
    'two documents': '--- 1\n--- 2',
    'an alias without an anchor': 'a: *b',
    'a list as a key': '[a]: b',
    'an open bracket': 'a: [1,',
    'a tab as indentation': 'a:\n\t- b\n\tc',
    'a key named __proto__': 'a: {__proto__: {x: 1}}',
    'a merge of something that is no mapping': 'a:\n  <<: [1]',
  }
  for (const [what, text] of Object.entries(bombs)) it(`refuses ${what}`, () => expect(refused(text)).toBe(400))

  it('refuses more than 256 KB with 413', () => expect(refused(`a: ${'x'.repeat(256 * 1024)}`)).toBe(413))

  it('reads JSON under its own, larger limit', () => {
    const large = JSON.stringify({ a: 'x'.repeat(300 * 1024) })
    expect(yaml(large)).toEqual(JSON.parse(large))
    expect(yaml('{a: b}')).toEqual({ a: 'b' })
  })

  it('tells duplicate fields by path', () => {
    const found: string[] = []
    for (const text of ['{"a":{"b":1,"b":2}}', 'a:\n- b: 1\n  b: 2'])
      decodeYaml(Buffer.from(text), { onDuplicate: path => found.push(path) })
    expect(found).toEqual(['a.b', 'a[0].b'])
  })
})
