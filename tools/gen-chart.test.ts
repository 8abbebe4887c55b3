import { expect, it } from 'vitest'
import { staleChart } from './gen-chart.ts'

it('charts/rackwright holds what src/cli/install says', async () => expect(await staleChart()).toEqual([]))
