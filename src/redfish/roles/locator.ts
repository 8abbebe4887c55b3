import type { Glance } from '../../ports/bmc.ts'
import { field, flag, type Resource, text } from '../transport/read.ts'

/** The newer spelling where there are both. */
export function locatorOf(system: Resource): 'LocationIndicatorActive' | 'IndicatorLED' | undefined {
  if (field(system, 'LocationIndicatorActive') !== undefined) return 'LocationIndicatorActive'
  return field(system, 'IndicatorLED') === undefined ? undefined : 'IndicatorLED'
}

/** What its locator light shows; undefined where it shows none, or a word that nobody knows. */
export function litOf(system: Resource): Glance['lit'] {
  switch (locatorOf(system)) {
    case 'LocationIndicatorActive': {
      const active = flag(system, 'LocationIndicatorActive')
      return active === undefined ? undefined : active ? 'Lit' : 'Off'
    }
    case 'IndicatorLED':
      return (['Lit', 'Blinking', 'Off'] as const).find(one => one === text(system, 'IndicatorLED'))
    case undefined:
      return undefined
  }
}
