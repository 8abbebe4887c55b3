import type { BareMetalHost } from '../../controllers/metal3/resources.ts'
import type { Told } from '../events.ts'
import { type Moment, told } from './boots.ts'

const operations = { register: 'registered', inspect: 'inspected', provision: 'installed', deprovision: 'given back' } as const

/** Everything that the API still knows of a host's life, oldest first. */
export function lifeOf({ status }: BareMetalHost, events: readonly Told[]): readonly Moment[] {
  const spans = Object.entries(operations).flatMap(([name, words]) => {
    const { start, end } = status?.operationHistory?.[name as keyof typeof operations] ?? {}
    return end ? [{ at: end, what: 'done', says: `it is ${words}${start ? `, which took ${secondsBetween(start, end)} s` : ''}` }] : []
  })
  const engine = status?.engine
  const step = engine
    ? [
        {
          at: engine.since,
          what: 'step',
          says:
            engine.work === 'none'
              ? `try ${engine.attempt} is over: ${engine.step}`
              : `${engine.step}, for ${engine.work}, try ${engine.attempt}`,
        },
      ]
    : []
  return [...events.map(told), ...spans, ...step].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

const secondsBetween = (start: string, end: string): number => Math.round((Date.parse(end) - Date.parse(start)) / 1_000)
