import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const here = fileURLToPath(new URL('.', import.meta.url))
const go = (...args: string[]) =>
  spawnSync('go', args, {
    cwd: here,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { ...process.env, GOFLAGS: '-mod=readonly -buildvcs=false', GOTOOLCHAIN: 'local' },
  })

/** Why the generator cannot run here, or undefined. */
function missing(): string | undefined {
  const version = go('env', 'GOVERSION').stdout?.match(/^go1\.(\d+)/)?.[1]
  if (version === undefined) return 'there is no Go'
  if (Number(version) < 26) return `Go 1.${version} is older than 1.26`
  return go('mod', 'download').status === 0 ? undefined : 'the Go modules cannot be had'
}

const without = missing()
const outputs = { types: 'src/api/builtin/generated/types.json', samples: 'src/net/body/generated/samples.json' }

describe('what gen-builtins wrote', () => {
  for (const [what, file] of Object.entries(outputs))
    it.skipIf(without)(`is fresh: ${file}${without ? ` (skipped: ${without})` : ''}`, { timeout: 600_000 }, () => {
      const made = go('run', '.', what)
      expect(made.stderr).toBe('')
      expect(
        readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8') === made.stdout,
        `run: cd tools/gen-builtins && go run . ${what}`,
      ).toBe(true)
    })
})
