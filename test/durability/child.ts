import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

export const program = (name: string): string => join(import.meta.dirname, 'programs', `${name}.ts`)

/** A folder for one test, gone with it. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'rackwright-durability-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly lines: readonly string[]
}

/** Runs a program to its end; `onLine` may end it earlier. What it printed before dying is all there. */
export async function run(
  command: readonly string[],
  onLine: (line: string, child: ChildProcess) => void = () => {},
  inTest = true,
): Promise<Ended> {
  const [file = process.execPath, ...args] = command
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  // A test that runs out of time leaves nobody behind: the whole group goes.
  const leave = () => child.exitCode === null && child.signalCode === null && child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
  if (inTest) onTestFinished(() => void leave())
  const lines: string[] = []
  const read = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      onLine(line, child)
    }
  })()
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (...end) => resolve(end))
  })
  await read
  return { code, signal, lines }
}

export const runProgram = (name: string, args: readonly string[], onLine?: (line: string, child: ChildProcess) => void): Promise<Ended> =>
  run([process.execPath, program(name), ...args], onLine)
