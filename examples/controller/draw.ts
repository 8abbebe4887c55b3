// Writes lifecycle.md from the lifecycle itself: node examples/controller/draw.ts
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toMermaid } from '../../src/core/machine-walk.ts'
import { lifecycle } from './valve.ts'

export const diagram = `<!-- Made by examples/controller/draw.ts from valve.ts; do not edit. -->

# The life of a Valve

\`\`\`mermaid
${toMermaid(lifecycle as never)}\`\`\`
`
export const diagramFile = join(import.meta.dirname, 'lifecycle.md')

if (import.meta.main) writeFileSync(diagramFile, diagram)
