// `npm run bench -- [name]`: runs bench/*.ts one after the other. Each prints one JSON line per figure; a table of all of them follows.
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { runTool } from './run-tool.ts'

/** What a benchmark prints. `ratio` is ours to baseline, in one run on one machine. */
interface Figure {
  readonly name: string
  readonly ours: number
  readonly baseline: number | null
  readonly ratio: number | null
  readonly target: string | number | null
  readonly unit: string
}

const wanted = process.argv[2]
const names = globSync('bench/*.ts')
  .map(path => basename(path, '.ts'))
  .filter(name => !name.endsWith('.test'))
  .toSorted()
const chosen = names.filter(name => wanted === undefined || name === wanted)
if (chosen.length === 0) {
  console.error(
    wanted === undefined ? 'There are no benchmarks in bench/' : `There is no benchmark "${wanted}"; there are: ${names.join(', ')}`,
  )
  process.exit(1)
}

const figures: Figure[] = []
for (const name of chosen) {
  const { code, said } = await runTool(`bench/${name}.ts`, process.argv.slice(3))
  process.stdout.write(said)
  if (code !== 0) process.exitCode = 1
  for (const line of said.split('\n')) if (line.startsWith('{"name"')) figures.push(JSON.parse(line) as Figure)
}
console.table(figures.map(({ name, ours, baseline, ratio, target, unit }) => ({ name, ours, baseline, ratio, target, unit })))
