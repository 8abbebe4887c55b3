// Writes charts/rackwright from src/cli/install: the chart and `rackwright manifests` are made of the same objects.
// With --check it writes nothing and fails, naming every file that is stale, missing or left over.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chartFiles } from '../src/cli/install/chart.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const chart = join(root, 'charts/rackwright')
const note = '# Made by tools/gen-chart.ts from src/cli/install; do not edit.\n'

async function files(): Promise<ReadonlyMap<string, string>> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return new Map([...chartFiles(version)].map(([path, text]) => [path, `${note}${text}`]))
}

/** The paths whose content on disk is not what it should be. */
export async function staleChart(): Promise<readonly string[]> {
  const wanted = await files()
  const wrong: string[] = []
  for (const [path, text] of wanted) if ((await readFile(join(chart, path), 'utf8').catch(() => undefined)) !== text) wrong.push(path)
  return [...wrong, ...(await leftOver(wanted))]
}

async function leftOver(wanted: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const found = await readdir(chart, { recursive: true, withFileTypes: true }).catch(() => [])
  return found
    .filter(entry => entry.isFile())
    .map(entry => relative(chart, join(entry.parentPath, entry.name)))
    .filter(path => !wanted.has(path))
}

export async function writeChart(): Promise<void> {
  const wanted = await files()
  for (const path of await leftOver(wanted)) await rm(join(chart, path))
  for (const [path, text] of wanted) {
    await mkdir(dirname(join(chart, path)), { recursive: true })
    await writeFile(join(chart, path), text)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const wrong = await staleChart()
    if (wrong.length > 0) {
      console.error(`The chart is stale: ${wrong.join(', ')}. Run: node tools/gen-chart.ts`)
      process.exitCode = 1
    }
  } else await writeChart()
}
