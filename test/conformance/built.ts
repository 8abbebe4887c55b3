import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = new URL('../..', import.meta.url).pathname

/** A program of `tools/`, built where it is not yet; where it cannot be, why. */
export function built(tool: string): { readonly folder: string } | { readonly missing: string } {
  const { status, stdout, stderr } = spawnSync(join(root, tool), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  return status === 0 ? { folder: stdout.trim() } : { missing: stderr.trim() }
}
