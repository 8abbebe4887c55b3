// Compiles src/ to dist/ for the published package: Node strips no types inside node_modules.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { binary, runTool } from './run-tool.ts'

rmSync(join(import.meta.dirname, '../dist'), { recursive: true, force: true })
const { code } = await runTool(binary('tsc'), ['-p', 'tsconfig.build.json'], { show: true })
process.exitCode = code
