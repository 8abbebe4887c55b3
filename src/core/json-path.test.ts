import { expect, it } from 'vitest'
import { compilePath } from './json-path.ts'

const example = {
  metadata: { name: 'a', annotations: { 'example.com/role': 'x' } },
  spec: { ports: [{ port: 80 }, { port: 443, name: 'https' }], 'odd name': 1 },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Warm', status: 'False' },
    ],
  },
}

it.each([
  ['.metadata.name', ['a']],
  ['{.metadata.name}', ['a']],
  ['$.metadata.name', ['a']],
  [".metadata.annotations['example.com/role']", ['x']],
  ['.metadata.annotations.example\\.com/role', ['x']],
  [".spec['odd name']", [1]],
  ['.spec.ports[0].port', [80]],
  ['.spec.ports[-1].port', [443]],
  ['.spec.ports[0,1].port', [80, 443]],
  ['.spec.ports[*].port', [80, 443]],
  ['.spec.ports[0:1].port', [80]],
  ['.status.conditions[?(@.type=="Ready")].status', ['True']],
  [".status.conditions[?(@.type == 'Warm')].status", ['False']],
  ['.status.conditions[?(@.type!="Ready")].status', ['False']],
  ['.spec.ports[?(@.port>=100)].name', ['https']],
  ['.spec.ports[?(@.name)].port', [443]],
  ['.spec.missing.deep', []],
  ['.metadata.constructor', []],
  ['.metadata.name.length', []],
  ['.', [example]],
  ['..port', [80, 443]],
  ['.status..type', ['Ready', 'Warm']],
  ['..ports[0].port', [80]],
])('%j finds its values', (path, expected) => expect(compilePath(path)(example)).toEqual(expected))

it.each(['', 'name', '.a[', ".a['b]", '.a[b]', '.a[?(x==1)]', '.a b', '.a.[b', '[', '.a.'.concat('.')])(
  '%j is refused, saying why',
  path => {
    expect(() => compilePath(path)).toThrowError(/^unable to parse JSONPath .*: ./)
  },
)

it('a path of many descents ends', () => {
  const deep = JSON.parse(`${'{"a":['.repeat(50)}1${']}'.repeat(50)}`)
  expect(compilePath('..*..*..*..*..*')(deep).length).toBeLessThan(2_000)
})
