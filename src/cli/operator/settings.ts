import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { AssistedSettings } from '../../controllers/assisted/settings.ts'
import type { Millis } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'
import type { ServerTls } from '../../net/server.ts'
import type { RegistrySettings } from '../../oci/registries.ts'
import type { PrefixEntry } from '../../policy/mac-prefix.ts'
import type { RamdiskFiles } from '../../ports/provisioner.ts'
import { assistedWishes, startTimeoutOf } from '../assisted-wishes.ts'
import { type BootWishes, bootWishes } from '../boot-wishes.ts'
import type { Options } from '../catalogue/command.ts'
import { managerNamespace } from '../compose/manager-namespace.ts'
import { keyPair } from '../key-pair.ts'
import { portOf } from '../port.ts'
import { ramdiskOf } from '../ramdisk.ts'
import { registryRulesIn } from './registry-rules.ts'
import { type Role, rolesNamed } from './roles.ts'

/** What can be said to the operator and the boot server: on the command line, or under the same names in a file. */
const known = [
  'kubeconfig',
  'controllers',
  'namespace',
  'lease',
  'takeOver',
  'bootUrl',
  'cache',
  'registries',
  'registryRules',
  'registryCredentials',
  'probeImage',
  'prefixes',
  'requireSanitized',
  'bootServer',
  'provisionedWhen',
  'defaultJobRunner',
  'jobImage',
  'layouts',
  'host',
  'port',
  'healthHost',
  'healthPort',
  'allowUserDataByWindow',
  'tlsCert',
  'tlsKey',
  'liveIso',
  'minimalIso',
  'agentImage',
  'agentCa',
  'ignitionCa',
  'settling',
  'agentUrl',
  'agentHost',
  'agentPort',
  'agentService',
  'buildsRamdisks',
  'ramdiskIso',
  'ramdiskKernel',
  'ramdiskInitramfs',
  'ramdiskArguments',
  'agentStartTimeout',
  'ramdiskLogs',
  'convergedFlow',
  'leastMemory',
  'assistedUrl',
  'assistedAgentImage',
] as const

export interface ClusterSettings {
  readonly kubeconfig: string | undefined
  /** Where leases, our own Secrets and Events are. */
  readonly namespace: string
  /** Where machines reach the boot server. */
  readonly bootUrl: string
  /** Where verified artefacts are kept. */
  readonly cache: string
  /** Registries that images may come from; any where it is not said. */
  readonly registries: readonly string[] | undefined
  /** How they are reached; in the file only. */
  readonly registryRules: RegistrySettings
  /** The Secret in our own namespace with the credentials of registries. */
  readonly registryCredentials: string | undefined
  /** OCI layout folders that stand for registries. */
  readonly layouts: Readonly<Record<string, string>>
  readonly health: { readonly host: string; readonly port: number }
}

export interface OperatorSettings extends ClusterSettings, BootWishes {
  readonly roles: readonly Role[]
  readonly takeOver: readonly Role[]
  readonly lease: string
  /** What is booted to look at a new server. */
  readonly probeImage: string
  /** What management controllers are, by their hardware addresses; in the file only. */
  readonly prefixes: readonly PrefixEntry[]
  readonly requireSanitized: boolean
  /** The JobRunner of objects that no other is for. */
  readonly defaultJobRunner: string | undefined
  /** What jobs run where there is no JobRunner at all: this very program. */
  readonly jobImage: string | undefined
  /** Where Ironic agents call, and what runs them; undefined where no host boots a ramdisk. */
  readonly agents: AgentWishes | undefined
  /** How hosts of InfraEnvs are installed. */
  readonly assisted: Partial<AssistedSettings>
}

export interface AgentWishes {
  readonly host: string
  readonly port: number
  /** Where machines reach that, if not there. */
  readonly url: string | undefined
  /** A Service of this namespace that is to lead to whoever acts. */
  readonly service: string | undefined
  readonly ramdisk: RamdiskFiles | undefined
  /** From the start of a machine to the first call of its agent. */
  readonly startTimeout: Millis | undefined
  /** The folder for what ramdisks wrote, where a step failed. */
  readonly logFolder: string | undefined
  /** `rackwright host-images` builds one for each host. */
  readonly builds: boolean
}

export interface BootServerSettings extends ClusterSettings {
  readonly host: string
  readonly port: number
  readonly allowUserDataByWindow: boolean
  readonly tls: ServerTls | undefined
}

/** Flags win over the file, the file over what is usual. */
export function merged(options: Options): Options {
  const file = options['config']
  if (typeof file !== 'string') return options
  let found: unknown
  try {
    found = parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Fault('operator/config', `Cannot read ${file}: ${(cause as Error).message}`, 'never', { cause })
  }
  if (!isObject(found)) throw new Fault('operator/config', `Cannot use ${file}: it is not a list of settings`, 'never')
  const strange = Object.keys(found).filter(key => !(known as readonly string[]).includes(key))
  if (strange.length > 0)
    throw new Fault('operator/config', `Cannot use ${file}: nobody knows ${strange.join(', ')}`, 'never', {
      hint: `known are ${known.join(', ')}`,
    })
  return { ...found, ...options }
}

export function clusterSettings(options: Options): ClusterSettings {
  const registries = list(options['registries'])
  const layouts = options['layouts']
  return {
    kubeconfig: text(options['kubeconfig']),
    namespace: text(options['namespace']) ?? managerNamespace,
    bootUrl: bootUrlOf(options),
    cache: text(options['cache']) ?? '/var/cache/rackwright',
    registries: registries.length > 0 ? registries : undefined,
    registryRules: registryRulesIn(options['registryRules']),
    registryCredentials: text(options['registryCredentials']),
    layouts: isObject(layouts) ? (layouts as Record<string, string>) : {},
    health: { host: text(options['healthHost']) ?? '127.0.0.1', port: portOf(options['healthPort'] ?? 8081) },
  }
}

export const operatorSettings = (options: Options): OperatorSettings => ({
  ...clusterSettings(options),
  roles: rolesNamed(list(options['controllers']).join(',') || 'metal,firmware', '--controllers'),
  takeOver: rolesNamed(list(options['takeOver']).join(','), '--take-over'),
  lease: text(options['lease']) ?? 'rackwright-controllers',
  probeImage: text(options['probeImage']) ?? 'ghcr.io/rackwright/probe:0.1.0',
  prefixes: prefixesIn(options['prefixes']),
  requireSanitized: options['requireSanitized'] === true,
  ...bootWishes(options),
  defaultJobRunner: text(options['defaultJobRunner']),
  jobImage: text(options['jobImage']),
  agents: agentWishes(options),
  assisted: assistedWishes(options),
})

function agentWishes(options: Options): AgentWishes | undefined {
  const [ramdisk, builds] = [ramdiskOf(options), options['buildsRamdisks'] === true]
  if (!ramdisk && !builds) return undefined
  const host = text(options['agentHost']) ?? '127.0.0.1'
  return {
    host,
    port: portOf(options['agentPort'] ?? 6385),
    url: text(options['agentUrl'])?.replace(/\/$/, ''),
    service: text(options['agentService']),
    ramdisk,
    startTimeout: startTimeoutOf(options),
    logFolder: text(options['ramdiskLogs']),
    builds,
  }
}

export const bootServerSettings = (options: Options): BootServerSettings => ({
  ...clusterSettings(options),
  host: text(options['host']) ?? '127.0.0.1',
  port: portOf(options['port'] ?? 8080),
  allowUserDataByWindow: options['allowUserDataByWindow'] === true,
  tls: keyPair(options, 'tlsCert', 'tlsKey'),
})

function prefixesIn(value: unknown): readonly PrefixEntry[] {
  if (value === undefined) return []
  const entries: readonly unknown[] = Array.isArray(value) ? value : [value]
  const wrong = entries.findIndex(
    entry => !isObject(entry) || text(entry['macPrefix']) === undefined || !isObject(entry['protocol']) || !isObject(entry['credentials']),
  )
  if (wrong >= 0)
    throw new Fault(
      'operator/prefixes',
      `Cannot use entry ${wrong + 1} of prefixes: it needs macPrefix, manufacturer, protocol and credentials`,
      'never',
    )
  return entries as readonly PrefixEntry[]
}

function bootUrlOf(options: Options): string {
  const given = text(options['bootUrl'])
  if (given !== undefined && URL.canParse(given)) return given.replace(/\/$/, '')
  throw new Fault(
    'operator/boot-url',
    `Cannot tell machines where to boot: ${given === undefined ? 'nobody said where the boot server is reached' : `"${given}" is no address`}`,
    'never',
    { hint: 'give --boot-url, such as http://boot.example.com:8080' },
  )
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const list = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.map(String)
    : (text(value)
        ?.split(',')
        .map(item => item.trim())
        .filter(Boolean) ?? [])
