import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'
import type { RegistrySettings } from '../../oci/registries.ts'

const lists = ['listed', 'insecure'] as const
const maps = ['mirrors', 'tokenServices'] as const

/** How registries are reached, from the settings file; which ones are allowed is a setting of its own. */
export function registryRulesIn(value: unknown): RegistrySettings {
  if (value === undefined) return {}
  const wrong = (found: string): Fault =>
    new Fault('operator/config', `Cannot use registryRules: ${found}`, 'never', {
      hint: 'for example {mirrors: {docker.io: [mirror.lan:5000]}, listed: [registry.lan], insecure: [registry.lan]}',
    })
  if (!isObject(value)) throw wrong('it is not an object')
  for (const [key, inside] of Object.entries(value)) {
    if ((lists as readonly string[]).includes(key)) {
      if (!isHosts(inside)) throw wrong(`${key} is not a list of hosts`)
    } else if ((maps as readonly string[]).includes(key)) {
      if (!isObject(inside) || !Object.values(inside).every(isHosts)) throw wrong(`${key} does not name lists of hosts by registry`)
    } else throw wrong(`nobody knows ${key}`)
  }
  return value as RegistrySettings
}

const isHosts = (value: unknown): boolean =>
  Array.isArray(value) && value.every(host => typeof host === 'string' && /^[A-Za-z0-9.:[\]-]+$/.test(host))
