// Runs the benchmarks whose name contains the argument, or all: one JSON line per figure, then a table. Figures, never a test.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Benchmark, type Result, ratioOf, targetText, verdict } from './result.ts'

const [wanted = ''] = process.argv.slice(2)
const files = readdirSync(import.meta.dirname).filter(file => file.endsWith('.bench.ts'))
const benchmarks = await Promise.all(
  files.map(async file => ((await import(join(import.meta.dirname, file))) as { readonly default: Benchmark }).default),
)
const chosen = benchmarks.filter(({ name }) => name.includes(wanted))
if (chosen.length === 0) {
  console.error(`Cannot run "${wanted}": the benchmarks are ${benchmarks.map(({ name }) => name).join(', ')}`)
  process.exit(1)
}

const short = (number: number): number => Number(number.toPrecision(4))
const rows: Record<string, string>[] = []
for (const benchmark of chosen) {
  for (const result of await benchmark.run()) {
    const { name, ours, baseline, unit, target } = result
    const compared = typeof baseline === 'number' ? short(baseline) : 'skipped'
    const ratio = ratioOf(result)
    console.log(
      JSON.stringify({
        name,
        ours: short(ours),
        baseline: compared,
        ratio: ratio === undefined ? null : short(ratio),
        target: targetText(target, unit),
        unit,
      }),
    )
    rows.push(tableRow(result, ratio))
  }
}
console.table(rows)

function tableRow(result: Result, ratio: number | undefined): Record<string, string> {
  const { baseline } = result
  return {
    name: result.name,
    ours: `${short(result.ours)} ${result.unit}`,
    baseline: typeof baseline === 'number' ? String(short(baseline)) : `skipped: ${baseline.skipped}`,
    ratio: ratio === undefined ? '' : String(short(ratio)),
    target: targetText(result.target, result.unit),
    verdict: verdict(result),
  }
}
