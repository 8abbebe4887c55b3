// Writes docs/generated/lifecycles/*.md from the lifecycles themselves. With --check it writes nothing and fails, naming what is stale.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lifecycle as serverLife } from '../src/controllers/metal/server/index.ts'
import { lifecycle as hostLife } from '../src/controllers/metal3/host/index.ts'
import { toMermaid } from '../src/core/machine-walk.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = (title: string, table: string, life: unknown): string =>
  `<!-- Made by tools/gen-lifecycles.ts from the table in ${table}; do not edit. -->\n\n# ${title}\n\n\`\`\`mermaid\n${toMermaid(life as never)}\`\`\`\n`

const files: ReadonlyMap<string, string> = new Map([
  ['docs/generated/lifecycles/server.md', page('The life of a Server', 'src/controllers/metal/server/lifecycle.ts', serverLife)],
  [
    'docs/generated/lifecycles/bare-metal-host.md',
    page('The life of a BareMetalHost', 'src/controllers/metal3/host/lifecycle.ts', hostLife),
  ],
])

export async function staleLifecycles(): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const [path, content] of files) if ((await readFile(join(root, path), 'utf8').catch(() => undefined)) !== content) wrong.push(path)
  return wrong
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wrong = await staleLifecycles()
  if (process.argv.includes('--check')) {
    if (wrong.length > 0) console.error(`Generated files are stale: ${wrong.join(', ')}. Run: node tools/gen-lifecycles.ts`)
    process.exitCode = wrong.length > 0 ? 1 : 0
  } else
    for (const [path, content] of files) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), content)
    }
}
