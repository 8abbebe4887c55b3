import { describe, expect, it } from 'vitest'
import { parseSelector, selectorOf, selects } from './selector.ts'
import { parseFieldSelector, selectsFields } from './selector-fields.ts'

const labels = { app: 'web', tier: 'front', weight: '10', in: 'here', empty: '' }

describe('a label selector in text form', () => {
  it.each([
    ['', true],
    ['app=web', true],
    ['app==web', true],
    ['app = web , tier = front', true],
    ['app!=web', false],
    ['other!=web', true],
    ['app in (web, api)', true],
    ['app in (api)', false],
    ['app notin (api)', true],
    ['other notin (api)', true],
    ['app', true],
    ['!app', false],
    ['! other', true],
    ['weight>9', true],
    ['weight<10', false],
    ['app>1', false],
    ['empty=', true],
    ['empty in (,x)', true],
    ['in=here', true],
    ['in in (here)', true],
    ['constructor', false],
    ['example.com/role notin (a),app', true],
  ])('%j selects the example: %s', (text, expected) => {
    expect(selects(parseSelector(text), labels)).toBe(expected)
  })

  it.each([
    ',',
    'app=web,',
    '=web',
    'app in web',
    'app in (web',
    'app in ()x',
    'app web',
    'a/b/c=d',
    'app=w!b',
    'app=-x',
    'weight>many',
    'weight>-1',
    '!app=web',
    `app=${'x'.repeat(64)}`,
    '-x',
    '__proto__=x',
  ])('%j is refused, saying what was found', text => {
    expect(() => parseSelector(text)).toThrowError(/^unable to parse label selector .*: ./)
  })
})

describe('a label selector in object form', () => {
  it('joins labels and expressions', () => {
    const selector = selectorOf({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['front'] },
        { key: 'other', operator: 'DoesNotExist' },
      ],
    })
    expect(selects(selector, labels)).toBe(true)
    expect(selects(selector, { ...labels, other: '1' })).toBe(false)
  })

  it.each([
    { matchExpressions: [{ key: 'a', operator: 'Near' }] },
    { matchExpressions: [{ key: 'a', operator: 'In', values: [] }] },
    { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['x'] }] },
    { matchLabels: { a: 'not ok' } },
    { matchExpressions: [{ key: 'a', operator: 'toString' }] },
  ])('refuses %j', selector => {
    expect(() => selectorOf(selector)).toThrowError(/unable to parse label selector/)
  })
})

describe('a field selector', () => {
  const read = (path: string) => ({ 'metadata.name': 'a,b', 'spec.nodeName': '' })[path]

  it.each([
    ['', true],
    ['metadata.name=a\\,b', true],
    ['metadata.name!=a', true],
    ['metadata.name==a\\,b,spec.nodeName=', true],
    ['metadata.name=x', false],
    ['unset.path!=', false],
  ])('%j selects the example: %s', (text, expected) => {
    expect(selectsFields(parseFieldSelector(text), read)).toBe(expected)
  })

  it.each(['metadata.name', 'a=b=c', 'a=b\\c', 'a!b'])('%j is refused', text => {
    expect(() => parseFieldSelector(text)).toThrowError(/unable to parse field selector/)
  })
})
