// `npm run faults`: every story with every fault, the mutants, and the kills of the store. With --scenario and --plan: one run, told in full.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parsePlan } from '../src/sim/faults/fault.ts'
import { openJudge } from '../test/invariants/engine/judge.ts'
import { type PartReport, workThrough } from '../test/invariants/engine/part.ts'
import { stories } from '../test/invariants/engine/stories.ts'
import { lastLine, total } from '../test/invariants/engine/total.ts'
import { binary, runTool } from './run-tool.ts'

const usage = `Usage: npm run faults -- [options]
  --scenario X   only stories whose name contains X
  --seed S       what chance is made of (default: rackwright)
  --plan P       with --scenario: replays this plan and prints everything that happened
  --all          tries every single fault, and each pair that is not like another, of every story; every make with every way to misbehave;
                 and a thousand servers whose power comes and goes
  --each         tries each pair of faults, also those that are like another (hours)
  --no-kills     leaves the kills of the store out`

const { values: options } = parseArgs({
  options: {
    scenario: { type: 'string' },
    seed: { type: 'string', default: 'rackwright' },
    plan: { type: 'string' },
    all: { type: 'boolean', default: false },
    each: { type: 'boolean', default: false },
    'no-kills': { type: 'boolean', default: false },
    part: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const { scenario, seed, plan } = options

/** Faults are made by the ten thousand here, and the stack of each would cost more than the run; the replay shows them. */
const withoutStacks = (): void => {
  Error.stackTraceLimit = 0
}

async function replay(text: string): Promise<number> {
  const story = stories.find(({ name }) => name === scenario) ?? stories.find(({ name }) => name.includes(scenario ?? ''))
  const faults = parsePlan(text)
  if (!story || !faults || scenario === undefined) {
    console.error(`Cannot replay: ${!faults ? `"${text}" is no plan` : `there is no story called "${scenario ?? ''}"`}\n${usage}`)
    return 1
  }
  const judge = await openJudge(story, { seed })
  const run = await judge.run(faults)
  process.stdout.write(run.log())
  for (const { at, by, level, what, about } of run.said)
    console.log(`${(at / 1_000).toFixed(3).padStart(10)} ${by.padEnd(6)} ${level.padEnd(6)} ${what} ${JSON.stringify(about ?? {})}`)
  for (const violation of run.violations) console.log(`VIOLATION ${violation}`)
  console.log(`plans=1 violations=${run.violations.length} uncovered=0 mutants=0/0`)
  return run.violations.length === 0 ? 0 : 1
}

/** A process per core; each says what it found as one line of JSON. */
async function inParts(): Promise<readonly PartReport[]> {
  const parts = Math.max(1, Math.min(4, availableParallelism()))
  const pairs = (['all', 'each'] as const).filter(word => options[word])
  const args = [`--seed=${seed}`, ...(scenario === undefined ? [] : [`--scenario=${scenario}`]), ...pairs.map(word => `--${word}`)]
  return Promise.all(Array.from({ length: parts }, (_, index) => part([...args, `--part=${index}/${parts}`])))
}

function part(args: readonly string[]): Promise<PartReport> {
  const withParent = join(import.meta.dirname, '../bin/launcher/with-parent.cjs')
  const child = spawn(process.execPath, ['--require', withParent, import.meta.filename, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let said = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code =>
      code === 0 ? resolve(JSON.parse(said) as PartReport) : reject(new Error(`a part of the work ended with ${code}`)),
    )
  })
}

async function kills(): Promise<number> {
  if (options['no-kills'] || scenario !== undefined) return 0
  const { code, said, seconds } = await runTool(binary('vitest'), ['run', 'test/durability', '--testTimeout=3600000'], {
    env: { RACKWRIGHT_KILLS: process.env['RACKWRIGHT_KILLS'] ?? '200' },
  })
  if (code !== 0) console.log(said)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} kills of the store (${seconds.toFixed(0)} s)`)
  return code === 0 ? 0 : 1
}

/** What `npm test` tries on one make, and on twenty servers. */
async function atLarge(): Promise<number> {
  if (!options.all || scenario !== undefined) return 0
  const { code, said, seconds } = await runTool(
    binary('vitest'),
    ['run', 'test/metal/misbehaviour.test.ts', 'test/metal/fleet.test.ts', '--testTimeout=3600000'],
    { env: { RACKWRIGHT_MAKES: 'all', RACKWRIGHT_SERVERS: '1000' } },
  )
  if (code !== 0) console.log(said)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} every make with every way to misbehave, and a thousand servers (${seconds.toFixed(0)} s)`)
  return code === 0 ? 0 : 1
}

async function all(): Promise<number> {
  const began = performance.now()
  const [besides, parts] = await Promise.all([kills().then(async killed => killed + (await atLarge())), inParts()])
  const found = total(parts)
  for (const { name, singles, pairs, alike, left, findings } of found.stories) {
    const rest = `${alike} more are like one of them${left > 0 ? `, ${left} were not picked` : ''}`
    console.log(`${findings.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${singles} single faults, ${pairs} pairs (${rest})`)
  }
  for (const { story, plan, violations } of found.findings) {
    console.log(`VIOLATION in "${story}": ${violations.join('; ')}`)
    console.log(`  npm run faults -- --seed '${seed}' --scenario '${story}' --plan '${plan}'`)
  }
  for (const name of found.uncovered) console.log(`UNCOVERED ${name}`)
  for (const { name, bad, by } of found.mutants)
    console.log(by ? `caught ${name}, by "${by.story}" with ${by.plan}` : `MISSED ${name}: ${bad}, and no run shows it`)
  const processor = parts.reduce((sum, { processor }) => sum + processor, 0)
  console.log(`${((performance.now() - began) / 1_000).toFixed(0)} s, ${processor.toFixed(0)} s of processor time without the kills`)
  const wrong = found.findings.length + besides + found.uncovered.length + found.mutants.filter(({ by }) => !by).length
  console.log(`${found.plans + found.mutants.length - Math.min(wrong, found.plans)} passed, ${wrong} failed, 0 skipped`)
  console.log(lastLine(found, besides))
  return wrong === 0 ? 0 : 1
}

if (options.help) console.log(usage)
else if (plan !== undefined) process.exitCode = await replay(plan)
else if (options.part === undefined) process.exitCode = await all()
else {
  withoutStacks()
  const [index = 0, of = 1] = options.part.split('/').map(Number)
  const report = await workThrough({
    seed,
    part: { index, of },
    pairs: options.each ? 'each' : options.all ? 'distinct' : undefined,
    scenario,
    progress: ({ name, singles, pairs, findings }) =>
      console.error(`part ${index + 1} of ${of}: "${name}": ${singles} single faults, ${pairs} pairs, ${findings.length} findings`),
  })
  process.stdout.write(JSON.stringify(report), () => process.exit(0))
}
