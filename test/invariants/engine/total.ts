import { uncovered } from './coverage.ts'
import type { Finding } from './explore.ts'
import type { PartReport, StoryReport } from './part.ts'

/** All parts put together. */
export interface Total {
  readonly stories: readonly StoryReport[]
  readonly plans: number
  readonly findings: readonly Finding[]
  readonly uncovered: readonly string[]
  readonly mutants: PartReport['mutants']
}

export function total(parts: readonly PartReport[]): Total {
  const stories = (parts[0]?.stories ?? []).map(({ name }) => {
    const same = parts.flatMap(part => part.stories.filter(story => story.name === name))
    const sum = (of: 'singles' | 'pairs' | 'alike' | 'left'): number => same.reduce((all, story) => all + story[of], 0)
    // A story that goes wrong without any fault does so in every part.
    const findings = new Map(same.flatMap(story => story.findings).map(finding => [finding.plan, finding]))
    return {
      name,
      singles: sum('singles'),
      pairs: sum('pairs'),
      alike: sum('alike'),
      left: sum('left'),
      findings: [...findings.values()],
    }
  })
  const coverage = {
    possible: new Set(parts.flatMap(part => part.possible)),
    tried: new Set(parts.flatMap(part => part.tried)),
  }
  return {
    stories,
    plans: stories.reduce((sum, { singles, pairs }) => sum + singles + pairs, 0),
    findings: stories.flatMap(({ findings }) => findings),
    uncovered: uncovered(coverage),
    mutants: parts.flatMap(part => part.mutants),
  }
}

/** What `npm run faults` ends with. */
export const lastLine = ({ plans, findings, uncovered, mutants }: Total, besides: number): string =>
  `plans=${plans} violations=${findings.length + besides} uncovered=${uncovered.length} mutants=${mutants.filter(({ by }) => by).length}/${mutants.length}`
