// What every package script runs: `node bin/launch.js <script> [arguments]`. Plain JavaScript for Node 18 and newer; see launcher/.
import { fileURLToPath } from 'node:url'
import { launch } from './launcher/launch.js'

/** Which program a script runs, with which arguments before the user's own, and whether it needs the development packages. */
const scripts = {
  start: { program: 'src/main.ts', args: ['up'], packages: 'run' },
  test: { program: 'tools/ok.ts', args: ['all'], packages: 'dev' },
  ok: { program: 'tools/ok.ts', args: ['fast'], packages: 'dev' },
  makes: { program: 'tools/ok.ts', args: ['makes'], packages: 'dev' },
  conformance: { program: 'tools/ok.ts', args: ['conformance'], packages: 'dev' },
  'test:kube': { program: 'tools/ok.ts', args: ['kube'], packages: 'dev' },
  faults: { program: 'tools/faults.ts', args: [], packages: 'dev' },
  bench: { program: 'bench/run.ts', args: [], packages: 'dev' },
  build: { program: 'tools/build.ts', args: [], packages: 'dev' },
  requirements: { program: 'tools/requirements.ts', args: [], packages: 'run' },
}

const [name = '', ...args] = process.argv.slice(2)
if (Object.hasOwn(scripts, name)) {
  await launch({ ...scripts[name], userArgs: args, entry: fileURLToPath(import.meta.url), entryArgs: process.argv.slice(2) })
} else {
  console.error(`bin/launch.js: there is no script "${name}"; the scripts are ${Object.keys(scripts).join(', ')}`)
  process.exitCode = 1
}
