import { seconds } from '../core/duration.ts'
import { Fault } from '../core/fault.ts'
import type { Clock } from '../ports/index.ts'
import type { CredentialsOf } from './credentials.ts'
import { registrySource } from './registry.ts'
import type { ImageSource } from './resolve.ts'
import { openWays, type Ways } from './ways.ts'

/** Which registries images may come from, and how each is reached. Hosts are written as images write them: `ghcr.io`, `10.0.0.2:5000`. */
export interface RegistrySettings {
  /** All that there are, where it is not said. `*.example.com` stands for every host below. */
  readonly allowed?: readonly string[]
  /** Asked before the registry itself, in this order. */
  readonly mirrors?: Readonly<Record<string, readonly string[]>>
  /** Hosts that may have private addresses or unusual ports; those that are allowed or mirrors by their full name may, too. */
  readonly listed?: readonly string[]
  /** Hosts that are spoken to without TLS. */
  readonly insecure?: readonly string[]
  /** Hosts that may be told the credentials of a registry to make a token of, by registry. */
  readonly tokenServices?: Readonly<Record<string, readonly string[]>>
}

export interface Registries {
  /** Undefined where images may not come from there. */
  sourceFor(registry: string): ImageSource | undefined
  close(): Promise<void>
}

export interface RegistriesPorts {
  readonly clock: Clock
  readonly credentials?: CredentialsOf
  /** How connections are made; over HTTP where it is not said. */
  readonly ways?: Ways
}

const onThisMachine = /^(localhost|127\.\d+\.\d+\.\d+)(:\d+)?$/

export function openRegistries(settings: RegistrySettings, ports: RegistriesPorts): Registries {
  const { allowed, mirrors = {}, tokenServices = {} } = settings
  const byName = [...(allowed ?? []).filter(name => !name.startsWith('*')), ...Object.values(mirrors).flat(), ...(settings.listed ?? [])]
  // Registries on this machine are spoken to without TLS, as every container tool does.
  const insecure = [...(settings.insecure ?? []), ...byName.filter(name => onThisMachine.test(name))]
  const ways = ports.ways ?? openWays({ listed: byName, insecure })
  const sources = new Map<string, ImageSource>()

  const one = (host: string, name: string): ImageSource =>
    registrySource({
      name,
      origin: new URL(`${insecure.includes(host) ? 'http' : 'https'}://${host === 'docker.io' ? 'registry-1.docker.io' : host}`),
      ways,
      clock: ports.clock,
      patience: seconds(30),
      tokenServices: tokenServices[name] ?? [],
      ...(ports.credentials ? { credentials: ports.credentials } : {}),
    })

  return {
    sourceFor(registry) {
      if (allowed && !allowed.some(rule => covers(rule, registry))) return undefined
      const known = sources.get(registry)
      if (known) return known
      const made = inTurn([...(mirrors[registry] ?? []).map(host => one(host, host)), one(registry, registry)])
      sources.set(registry, made)
      return made
    },
    close: () => ways.close(),
  }
}

const covers = (rule: string, registry: string): boolean =>
  rule.startsWith('*.') ? registry.endsWith(rule.slice(1).toLowerCase()) : rule.toLowerCase() === registry

/** Asks one after the other: a mirror that is down, or does not have it, is no reason to fail. What the last one says counts. */
function inTurn(sources: readonly ImageSource[]): ImageSource {
  const [only, ...more] = sources
  if (only && more.length === 0) return only
  const isLast = (source: ImageSource): boolean => source === sources.at(-1)
  return {
    async document(repository, name, signal) {
      for (const source of sources) {
        try {
          return await source.document(repository, name, signal)
        } catch (error) {
          if (isLast(source) || !(error instanceof Fault)) throw error
        }
      }
      throw new Fault('image/registry-refused', `Cannot read ${repository}: no registry is configured for it`, 'when-changed')
    },
    async *blob(repository, digest, signal) {
      for (const source of sources) {
        let begun = false
        try {
          for await (const chunk of source.blob(repository, digest, signal)) {
            begun = true
            yield chunk
          }
          return
        } catch (error) {
          // Half of a file from one place and half from another would have to fit by chance.
          if (begun || isLast(source) || !(error instanceof Fault)) throw error
        }
      }
    },
  }
}
