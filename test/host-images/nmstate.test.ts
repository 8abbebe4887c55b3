import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { nmstatectl } from '../../src/boot/host-images/nmstate.ts'

const folder = mkdtempSync(join(tmpdir(), 'nmstate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const never = new AbortController().signal

/** A program that answers as `nmstatectl gc -` does. */
function program(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}
const told = 'printf -- "---\\nNetworkManager:\\n- - eth1.nmconnection\\n  - |-\\n    [connection]\\n    id=$id\\n"'

it('IC-05 makes files of what the program answers, which is given the description', async () => {
  const path = program('good', `id=$(cat | tr -d '\\n'); [ "$1 $2" = "gc -" ] && ${told}`)
  expect(await nmstatectl(path).keyfiles('eth1', never)).toEqual({
    files: [{ name: 'eth1.nmconnection', content: '[connection]\nid=eth1' }],
  })
})
it.each([
  ['is not installed', join(folder, 'missing'), 'nmstatectl, which is not installed'],
  ['refuses', program('refuses', 'echo "InvalidArgument: eth1" >&2; exit 1'), 'InvalidArgument: eth1'],
  ['describes nothing', program('empty', 'printf -- "--- {}\\n"'), 'describes no network'],
  ['answers a path', program('path', 'printf -- "---\\nNetworkManager:\\n- - ../x\\n  - y\\n"'), 'names that make no sense'],
  ['answers no YAML', program('no-yaml', 'printf "{"'), 'no YAML'],
])('IC-05 says why not where the program %s', async (_, path, words) => {
  const made = await nmstatectl(path).keyfiles('interfaces: []', never)
  expect('wrong' in made ? made.wrong : '').toContain(words)
})
