import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Fault } from '../../core/fault.ts'
import { homeAt } from '../home.ts'
import { refuseWhileRunning } from '../running.ts'

/** Lists what it would remove, asks, removes. Never touches a server that is running. */
export async function reset(options: Readonly<Record<string, unknown>>): Promise<number> {
  const home = homeAt(options)
  if (!existsSync(home.root)) {
    console.log(`Nothing to remove: ${home.root} does not exist.`)
    return 0
  }
  await refuseWhileRunning(home)
  const entries = readdirSync(home.root)
  console.log(`This removes, for good:`)
  for (const entry of entries) console.log(`  ${join(home.root, entry)}  ${meaning[entry] ?? ''} (${size(join(home.root, entry))})`)
  if (options['yes'] !== true && !(await agreed())) {
    console.log('Nothing was removed.')
    return 1
  }
  for (const entry of entries) rmSync(join(home.root, entry), { recursive: true, force: true })
  rmSync(home.root, { recursive: true, force: true })
  console.log('Removed.')
  return 0
}

const meaning: Readonly<Record<string, string>> = {
  data: 'the store and the certificates',
  kubeconfig: "the administrator's way in",
  cache: 'fetched programs and images',
  logs: 'log files',
  backups: 'backups of the store',
}

async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Fault('reset/not-asked', 'Cannot ask whether to remove this: standard input is not a terminal', 'never', {
      hint: 'say --yes if you are sure',
    })
  }
  const prompt = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await prompt.question('Remove all of it? Type yes: ')).trim() === 'yes'
  } finally {
    prompt.close()
  }
}

function size(path: string): string {
  const bytes = sum(path)
  return bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`
}

function sum(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  return stat.isDirectory() ? readdirSync(path).reduce((total, entry) => total + sum(join(path, entry)), 0) : stat.size
}
