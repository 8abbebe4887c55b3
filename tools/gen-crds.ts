// Writes config/crd/*.yaml, docs/generated/kinds/*.md and the chart's CRDs from the kinds in src/api/kinds.ts.
// With --check it writes nothing and fails, naming every file that is stale, missing or left over.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crdOf } from '../src/api/crd.ts'
import { assistedKinds, kinds, metal3Kinds } from '../src/api/kinds.ts'
import { bootImageHistory } from '../src/api/openshift/boot-image-history.ts'
import { machineConfiguration } from '../src/api/openshift/machine-configuration.ts'
import { kindPage, yamlText } from '../src/api/page.ts'
import { writeChart } from './gen-chart.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['config/crd', 'docs/generated/kinds'] as const
const note = 'Made by tools/gen-crds.ts from src/api; do not edit.'

/** What every generated file should hold, by its path. */
export function generated(): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  // What a cluster may have of its own already is not offered for applying: it would be replaced.
  for (const kind of [...kinds, ...metal3Kinds, ...assistedKinds, bootImageHistory])
    files.set(`config/crd/${kind.group}_${kind.plural}.yaml`, `# ${note}\n${yamlText(crdOf(kind))}`)
  for (const kind of [...kinds, ...metal3Kinds, ...assistedKinds, bootImageHistory, machineConfiguration])
    files.set(`docs/generated/kinds/${kind.group}_${kind.plural}.md`, `<!-- ${note} -->\n\n${kindPage(kind)}\n`)
  return files
}

/** The paths whose content on disk is not what it should be. */
export async function stale(): Promise<readonly string[]> {
  const files = generated()
  const wrong: string[] = []
  for (const [path, content] of files) {
    const found = await readFile(join(root, path), 'utf8').catch(() => undefined)
    if (found !== content) wrong.push(path)
  }
  return [...wrong, ...(await leftOver(files))]
}

async function leftOver(files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map(async folder => (await readdir(join(root, folder)).catch(() => [])).map(name => `${folder}/${name}`)),
  )
  return found.flat().filter(path => !files.has(path))
}

async function write(): Promise<void> {
  const files = generated()
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true })
  for (const path of await leftOver(files)) await rm(join(root, path))
  for (const [path, content] of files) await writeFile(join(root, path), content)
  await writeChart()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const wrong = await stale()
    if (wrong.length > 0) {
      console.error(`Generated files are stale: ${wrong.join(', ')}. Run: node tools/gen-crds.ts`)
      process.exitCode = 1
    }
  } else await write()
}
