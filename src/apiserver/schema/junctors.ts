import type { Cause } from '../../api/status.ts'
import type { Structural } from '../../api/structural.ts'
import { invalid } from './cause.ts'
import { complain, type Run, type Step } from './run.ts'
import type { Check } from './scalar.ts'

/** allOf, anyOf, oneOf and not: schemas that judge the value again and change nothing. */
export function junctorChecks(schema: Structural, compile: (inner: Structural) => Step): readonly Check[] {
  const checks: Check[] = []
  const says = (run: Run, what: string) => complain(run, field => invalid(field, '', `"${field}" must ${what}`))

  const all = (schema.allOf ?? []).map(compile)
  if (all.length > 0) {
    checks.push((value, run) => {
      const before = run.complaints
      for (const step of all) step(value, run)
      if (run.complaints > before) says(run, 'validate all the schemas (allOf)')
    })
  }
  const any = (schema.anyOf ?? []).map(compile)
  if (any.length > 0) {
    checks.push((value, run) => {
      if (fitting(any, value, run, 1) > 0) return
      says(run, 'validate at least one schema (anyOf)')
      adopt(run, nearest(any, value, run))
    })
  }
  const one = (schema.oneOf ?? []).map(compile)
  if (one.length > 0) {
    checks.push((value, run) => {
      const fits = fitting(one, value, run, one.length)
      if (fits === 1) return
      says(run, `validate one and only one schema (oneOf). Found ${fits === 0 ? 'none valid' : `${fits} valid alternatives`}`)
      if (fits === 0) adopt(run, nearest(one, value, run))
    })
  }
  if (schema.not) {
    const not = [compile(schema.not)]
    checks.push((value, run) => {
      if (fitting(not, value, run, 1) === 1) says(run, 'not validate the schema (not)')
    })
  }
  return checks
}

/** How many alternatives fit; no more than `enough` are looked for. */
function fitting(steps: readonly Step[], value: unknown, run: Run, enough: number): number {
  let fits = 0
  for (const step of steps) {
    const trial: Run = { ...run, complaints: 0, quiet: true }
    step(value, trial)
    if (trial.complaints === 0 && ++fits >= enough) break
  }
  return fits
}

/** Where none fits: what the alternative that came nearest complains about. */
function nearest(steps: readonly Step[], value: unknown, run: Run): readonly Cause[] {
  if (run.quiet) return []
  let fewest: readonly Cause[] | undefined
  for (const step of steps) {
    const trial: Run = { ...run, causes: [], complaints: 0 }
    step(value, trial)
    if (fewest === undefined || trial.causes.length < fewest.length) fewest = trial.causes
  }
  return fewest ?? []
}

function adopt(run: Run, causes: readonly Cause[]): void {
  for (const cause of causes) complain(run, () => cause)
}
