import type { Guard, Machine } from './machine.ts'
import type { Action } from './plan.ts'

type Any = Machine<never, Action, string>

const exitsOf = (m: Any, name: string): readonly [to: string, guard: Guard<never>][] =>
  Object.entries(m.phases[name]?.exits ?? {}) as [string, Guard<never>][]

/** What is wrong with a lifecycle's shape: phases nobody reaches, phases nobody leaves, exits to nowhere. */
export function flaws(m: Any): readonly string[] {
  const names = Object.keys(m.phases)
  const reached = new Set<string>([m.initial])
  for (const name of reached) for (const [to] of exitsOf(m, name)) reached.add(to)
  return [
    ...names.filter(name => !reached.has(name)).map(name => `${name} is never reached`),
    ...names.filter(name => exitsOf(m, name).length === 0 && !m.phases[name]?.final).map(name => `${name} is never left`),
    ...[...reached].filter(name => !names.includes(name)).map(name => `${name} is an exit to nowhere`),
  ]
}

/** The lifecycle as a Mermaid state diagram; labels are the guards' own words. */
export function toMermaid(m: Any): string {
  const names = Object.keys(m.phases)
  // A name of several words needs another one that is one word.
  const id = (name: string): string => name.replaceAll(' ', '_')
  const lines = ['stateDiagram-v2', ...names.filter(name => id(name) !== name).map(name => `  state "${name}" as ${id(name)}`)]
  lines.push(`  [*] --> ${id(m.initial)}`)
  for (const name of names) {
    for (const [to, guard] of exitsOf(m, name)) lines.push(`  ${id(name)} --> ${id(to)}: ${guard.label.replace(/[:;#]/g, ' ')}`)
    if (m.phases[name]?.final) lines.push(`  ${id(name)} --> [*]`)
  }
  return `${lines.join('\n')}\n`
}
