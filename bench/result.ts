/** One figure. Both numbers come from the same run on the same machine; only their ratio means something elsewhere. */
export interface Result {
  readonly name: string
  readonly ours: number
  /** What we measure against; a sentence says why there is nothing, which is never a pass. */
  readonly baseline: number | { readonly skipped: string }
  readonly unit: string
  /** What the ratio (or, without a baseline, our number) is meant to be. */
  readonly target: Target
}
export type Target = { readonly atLeast: number } | { readonly atMost: number }

export interface Benchmark {
  readonly name: string
  run(): Promise<readonly Result[]>
}

export const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
export const ratioOf = ({ ours, baseline }: Result): number | undefined => (typeof baseline === 'number' ? ours / baseline : undefined)
export function verdict(result: Result): 'reached' | 'missed' | 'skipped' {
  if (typeof result.baseline !== 'number') return 'skipped'
  const ratio = result.ours / result.baseline
  return ('atLeast' in result.target ? ratio >= result.target.atLeast : ratio <= result.target.atMost) ? 'reached' : 'missed'
}
export const targetText = (target: Target): string => ('atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`)
