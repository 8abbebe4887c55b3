#!/usr/bin/env node
// The `rackwright` command, from a checkout (src/) or an installed package (dist/). Plain JavaScript for Node 18 and newer; see launcher/.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launch } from './launcher/launch.js'

const fromSource = existsSync(new URL('../src/main.ts', import.meta.url))
await launch({
  program: fromSource ? 'src/main.ts' : 'dist/main.js',
  args: [],
  userArgs: process.argv.slice(2),
  packages: fromSource ? 'run' : 'none',
  entry: fileURLToPath(import.meta.url),
  entryArgs: process.argv.slice(2),
})
