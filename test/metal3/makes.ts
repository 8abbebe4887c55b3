import { personalities } from '../../src/sim/personalities/index.ts'

/** One more make by default: `RACKWRIGHT_MAKES=all` tells these stories of every one. */
export const makes: readonly string[] =
  process.env['RACKWRIGHT_MAKES'] === 'all' ? personalities.map(({ name }) => name).filter(name => name !== 'none') : ['generic', 'dell']

export const machineOf = (make: string) => [{ name: 'srv-1', personality: make }]
