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
      const tries = attempt(any, value, run, 1)
      if (tries.valid === 0) {
        says(run, 'validate at least one schema (anyOf)')
        adopt(run, tries.nearest)
      }
    })
  }
  const one = (schema.oneOf ?? []).map(compile)
  if (one.length > 0) {
    checks.push((value, run) => {
      const tries = attempt(one, value, run, one.length)
      if (tries.valid === 1) return
      says(run, `validate one and only one schema (oneOf). Found ${tries.valid === 0 ? 'none valid' : `${tries.valid} valid alternatives`}`)
      if (tries.valid === 0) adopt(run, tries.nearest)
    })
  }
  if (schema.not) {
    const step = compile(schema.not)
    checks.push((value, run) => {
      if (attempt([step], value, run, 1).valid === 1) says(run, 'not validate the schema (not)')
    })
  }
  return checks
}

/** How many alternatives fit (no more than `enough` are looked for), and what the one that came nearest complained about. */
function attempt(
  steps: readonly Step[],
  value: unknown,
  run: Run,
  enough: number,
): { readonly valid: number; readonly nearest: readonly Cause[] } {
  let valid = 0
  let nearest: readonly Cause[] | undefined
  for (const step of steps) {
    const trial: Run = { ...run, causes: [], complaints: 0 }
    step(value, trial)
    if (trial.complaints === 0) {
      if (++valid >= enough) break
    } else if (nearest === undefined || trial.causes.length < nearest.length) nearest = trial.causes
  }
  return { valid, nearest: nearest ?? [] }
}

function adopt(run: Run, causes: readonly Cause[]): void {
  for (const cause of causes) complain(run, () => cause)
}
