import { type LabelSelector, selectorOf, selects } from '../../core/selector.ts'

export interface RunnerRule {
  readonly name: string
  readonly manufacturer?: string | undefined
  readonly selector?: LabelSelector | undefined
}

export interface RunFor {
  readonly labels: Readonly<Record<string, string>>
  /** Of the server; unknown until it was asked. */
  readonly manufacturer: string | undefined
}

/**
 * The most specific of those that match: by maker and labels, by maker, by labels (more requirements first), then those for everything.
 * Among equals the one that is named as the fallback, then the first by name: never by chance.
 */
export function chooseRunner<R extends RunnerRule>(runners: readonly R[], of: RunFor, fallback: string | undefined): R | undefined {
  const fitting = runners.filter(runner => fits(runner, of))
  const better = (a: R, b: R): number => {
    const [x, y] = [weight(a), weight(b)]
    if (x !== y) return y - x
    if (a.name === fallback || b.name === fallback) return a.name === fallback ? -1 : 1
    return a.name < b.name ? -1 : 1
  }
  return fitting.toSorted(better)[0] ?? runners.find(({ name }) => name === fallback)
}

const plain = (maker: string): string => maker.trim().toLowerCase()

const fits = ({ manufacturer, selector }: RunnerRule, of: RunFor): boolean =>
  (manufacturer === undefined || (of.manufacturer !== undefined && plain(manufacturer) === plain(of.manufacturer))) &&
  (selector === undefined || selects(selectorOf(selector), of.labels))

const weight = ({ manufacturer, selector }: RunnerRule): number =>
  (manufacturer === undefined ? 0 : 1_000) + (selector === undefined ? 0 : Math.min(999, 1 + selectorOf(selector).length))
