/** One figure. Both numbers come from the same run on the same machine; only their ratio means something elsewhere. */
export interface Result {
  readonly name: string
  readonly ours: number
  /** What we measure against; a sentence says why there is nothing, which is never a pass. */
  readonly baseline: number | { readonly skipped: string }
  readonly unit: string
  /** What the ratio is meant to be, or our own number where the target is a plain figure. */
  readonly target: Target
}
export type Target = ({ readonly atLeast: number } | { readonly atMost: number } | { readonly exactly: number }) & { readonly of?: 'ours' }

export interface Benchmark {
  readonly name: string
  run(): Promise<readonly Result[]>
}

export const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN
export const ratioOf = ({ ours, baseline }: Result): number | undefined => (typeof baseline === 'number' ? ours / baseline : undefined)
export function verdict(result: Result): 'reached' | 'missed' | 'skipped' {
  const { target } = result
  const reached = target.of === 'ours' ? result.ours : ratioOf(result)
  if (reached === undefined) return 'skipped'
  const isSo = 'exactly' in target ? reached === target.exactly : 'atLeast' in target ? reached >= target.atLeast : reached <= target.atMost
  return isSo ? 'reached' : 'missed'
}
export function targetText(target: Target, unit: string): string {
  const bound = 'exactly' in target ? `= ${target.exactly}` : 'atLeast' in target ? `>= ${target.atLeast}` : `<= ${target.atMost}`
  return `${bound}${target.of === 'ours' ? ` ${unit}` : ' x baseline'}`
}
