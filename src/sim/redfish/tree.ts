import type { Personality } from '../personalities/personality.ts'
import { keyOf } from './call.ts'
import { linksOf } from './links.ts'
import type { Extra, Family, Kit, Node } from './node.ts'
import { resources } from './resources/index.ts'

export interface Tree {
  readonly nodes: ReadonlyMap<string, Node>
  readonly families: ReadonlyMap<string, Family>
}

/** One tree per make, built once; nothing in it belongs to a single BMC. */
export function buildTree(make: Personality): Tree {
  const nodes = new Map<string, Node>()
  const families = new Map<string, Family>()
  const kit: Kit = {
    make,
    at: linksOf(make),
    node: (path, node) => void nodes.set(keyOf(path), Object.freeze(node)),
    change(path, wrap) {
      const before = nodes.get(keyOf(path))
      if (!before) throw new Error(`Cannot change ${path} of ${make.name}: there is nothing there`)
      nodes.set(keyOf(path), Object.freeze(wrap(before)))
    },
    family: (pattern, family) => void families.set(keyOf(pattern), family),
  }
  const extras: readonly Extra[] = make.extras ?? []
  for (const add of [...resources, ...extras]) add(kit)
  return { nodes, families }
}
