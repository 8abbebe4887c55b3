// What stands behind `npm test`, `npm run ok`, `npm run makes`, `npm run conformance` and `npm run test:kube`: one gate, the same everywhere.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { binary, runTool } from './run-tool.ts'
import { amended, brokenFiles, lastLine, type Report, readReport, type Tally, tally } from './tally.ts'

const root = join(import.meta.dirname, '..')

/** Seconds each; in the order in which a failure is cheapest to understand. */
const gates = [
  { name: 'types', program: binary('tsc'), args: ['-p', '.'] },
  { name: 'lint', program: binary('biome'), args: ['check', '--colors=off', '--error-on-warnings', '.'] },
  { name: 'promises', program: binary('oxlint'), args: ['--type-aware'] },
  { name: 'imports', program: 'tools/check-imports.ts', args: [] },
  { name: 'dead code', program: binary('knip'), args: ['--no-config-hints', '--no-progress'] },
  { name: 'sizes', program: 'tools/sizes.ts', args: [], show: true },
]

/** Which tests a command runs, as arguments of the test runner. */
const suites: Readonly<Record<string, { readonly args: readonly string[]; readonly env?: Record<string, string> } | undefined>> = {
  all: { args: [] },
  conformance: { args: ['--config', 'test/conformance/vitest.config.ts'] },
  kube: { args: ['--config', 'test/kube/vitest.config.ts'] },
  // Stories that `npm test` tells of one or two makes.
  makes: { args: ['test/assisted', 'test/firmware', 'test/metal/misbehaviour', 'test/metal3'], env: { RACKWRIGHT_MAKES: 'all' } },
}

async function runGates(): Promise<Tally> {
  let passed = 0
  let failed = 0
  const broken: string[] = []
  for (const { name, program, args, show } of gates) {
    const { code, said, seconds } = await runTool(program, args)
    if (code === 0) passed++
    else {
      failed++
      broken.push(name)
    }
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)`)
    if (code !== 0 || show) console.log(said.trimEnd())
  }
  return { passed, failed, skipped: [], broken }
}

async function runSuite(name: string, userArgs: readonly string[]): Promise<Tally> {
  const first = await runTests(name, userArgs)
  const files = brokenFiles(first.report)
  if (!isPatient || !first.report || files.length === 0 || files.length > 5) return tally(first.report, first.code !== 0)
  console.log(`Running again, alone: ${files.join(' ')}`)
  const second = await runTests(name, files)
  if (!second.report) return tally(first.report, true)
  const found = tally(amended(first.report, second.report), second.code !== 0)
  for (const test of tally(first.report, false).broken.filter(test => !found.broken.includes(test)))
    console.log(`UNSTEADY ${test}: failed at first (above), and passed when its file was run again alone`)
  return found
}

/**
 * Where nobody looks on, a file with a failure is run once more by itself: a machine that others use, too, starves real processes at times. What
 * fails twice has failed, and what did not is named as unsteady.
 */
const isPatient = process.env['RACKWRIGHT_ONCE_MORE'] === 'true'

async function runTests(name: string, userArgs: readonly string[]): Promise<{ code: number; report: Report | undefined }> {
  const suite = suites[name]!
  const file = join(root, '.test-results', `${name}.json`)
  mkdirSync(join(root, '.test-results'), { recursive: true })
  rmSync(file, { force: true })
  const report = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const env = { ...suite.env, ...(name === 'kube' ? kubeBinaries() : {}) }
  const { code } = await runTool(binary('vitest'), ['run', ...report, ...suite.args, ...userArgs], { show: true, env })
  return { code, report: readIfThere(file) }
}

function readIfThere(file: string) {
  try {
    return readReport(file)
  } catch {
    return undefined
  }
}

/** A real control plane and Helm, built once from Go modules; where that is not possible their tests are skipped by name. */
function kubeBinaries(): Record<string, string> {
  const build = (variable: string, tool: string, names: readonly string[], inside = ''): Record<string, string> => {
    if (process.env[variable] !== undefined) return {}
    const built = spawnSync(join(root, tool), names, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    return built.status === 0 ? { [variable]: `${built.stdout.trim()}${inside}` } : {}
  }
  return {
    ...build('KUBEBUILDER_ASSETS', 'tools/kube/build', ['kube-apiserver', 'kube-controller-manager', 'etcd']),
    ...build('RACKWRIGHT_HELM', 'tools/helm/build', [], '/helm'),
  }
}

const [what = 'all', ...userArgs] = process.argv.slice(2)
const counted: Tally[] = []
if (what === 'all' || what === 'fast') counted.push(await runGates())
if (what !== 'fast') counted.push(await runSuite(what, userArgs))
const total = {
  passed: counted.reduce((sum, { passed }) => sum + passed, 0),
  failed: counted.reduce((sum, { failed }) => sum + failed, 0),
  skipped: counted.flatMap(({ skipped }) => skipped),
  broken: counted.flatMap(({ broken }) => broken),
}
for (const name of total.skipped) console.log(`skipped: ${name}`)
for (const name of total.broken) console.log(`FAILED ${name}`)
console.log(lastLine(total))
process.exitCode = total.failed > 0 ? 1 : 0
