import { personalities } from '../src/sim/personalities/index.ts'

/** Of which makes a story is told: of these by default, of every one with `RACKWRIGHT_MAKES=all`, or of those that it names. */
export function makesUnlessSaid(...usual: readonly string[]): readonly string[] {
  const said = process.env['RACKWRIGHT_MAKES']
  const every = personalities.map(({ name }) => name)
  if (said === 'all') return every
  const wanted = said?.split(',') ?? usual
  return every.filter(name => wanted.includes(name))
}

export const machineOf = (make: string) => [{ name: 'srv-1', personality: make }]
