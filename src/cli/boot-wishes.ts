import { Fault } from '../core/fault.ts'
import { type EvidenceLevel, evidenceLevels } from '../policy/boot/evidence.ts'
import type { Options } from './catalogue/command.ts'

export interface BootWishes {
  /** Somebody else's boot operator serves: see docs/guides/boot-server.md. */
  readonly externalBootServer: boolean
  /** What counts as a first boot where a boot policy does not say. */
  readonly provisionedWhen?: EvidenceLevel
}

const servers = ['own', 'external'] as const

/** Who serves boots, and what they are judged by, for whoever runs the controllers of servers. */
export function bootWishes({ bootServer, provisionedWhen }: Options): BootWishes {
  const level = oneOf('provisionedWhen', evidenceLevels, provisionedWhen)
  return { externalBootServer: oneOf('bootServer', servers, bootServer) === 'external', ...(level ? { provisionedWhen: level } : {}) }
}

function oneOf<T extends string>(setting: string, known: readonly T[], value: unknown): T | undefined {
  // A chart says nothing by an empty string.
  if (value === undefined || value === '') return undefined
  const found = known.find(one => one === value)
  if (!found) throw new Fault('operator/boot', `Cannot use ${setting} ${String(value)}: it is ${known.join(' or ')}`, 'never')
  return found
}
