import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** Ends the tool when we are gone, even killed outright. */
const withParent = join(root, 'bin/launcher/with-parent.cjs')

/** The program behind a name in node_modules/.bin, or a script of ours. */
export const binary = (name: string): string => realpathSync(join(root, 'node_modules/.bin', name))

export interface Ended {
  readonly code: number
  readonly said: string
  readonly seconds: number
}

/** Runs a JavaScript or TypeScript program under this Node. `show` passes its output on; otherwise it is kept for the report. */
export async function runTool(
  program: string,
  args: readonly string[],
  options: { show?: boolean; env?: Record<string, string> } = {},
): Promise<Ended> {
  const started = performance.now()
  const output = options.show ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, ['--require', withParent, program, ...args], {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', output, output, 'ipc'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (said += text))
  const code = await new Promise<number>((done, failed) => {
    child.once('error', failed)
    child.once('close', (code, signal) => done(code ?? (signal ? 1 : 0)))
  })
  return { code, said, seconds: (performance.now() - started) / 1_000 }
}
