import { Fault } from '../core/fault.ts'
import type { Options } from './catalogue/command.ts'

export interface BootWishes {
  /** Somebody else's boot operator serves: see docs/guides/boot-server.md. */
  readonly externalBootServer: boolean
}

const servers = ['own', 'external'] as const

/** Who serves boots, for whoever runs the controllers of servers. */
export const bootWishes = ({ bootServer }: Options): BootWishes => ({
  externalBootServer: oneOf('bootServer', servers, bootServer) === 'external',
})

function oneOf<T extends string>(setting: string, known: readonly T[], value: unknown): T | undefined {
  // A chart says nothing by an empty string.
  if (value === undefined || value === '') return undefined
  const found = known.find(one => one === value)
  if (!found) throw new Fault('operator/boot', `Cannot use ${setting} ${String(value)}: it is ${known.join(' or ')}`, 'never')
  return found
}
