import { enableCompileCache } from 'node:module'

// What was compiled once is not compiled again: half of a start is spent on that. Where the folder is not writable, nothing is lost.
enableCompileCache(new URL('../node_modules/.cache/rackwright', import.meta.url).pathname)
// A reader of our output that went away (`| head`) is no reason to stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const { run } = await import('./cli/run.ts')
process.exitCode = await run(process.argv.slice(2))
