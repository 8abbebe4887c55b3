import { spawn } from 'node:child_process'
import { expect } from 'vitest'

const main = new URL('../../src/main.ts', import.meta.url).pathname

/** Everything that a demo says; it must end well. */
export async function told(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [main, 'demo', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (out += String(chunk)))
  expect({ code: await new Promise(resolve => child.once('close', resolve)), out }).toMatchObject({ code: 0 })
  return out
}
