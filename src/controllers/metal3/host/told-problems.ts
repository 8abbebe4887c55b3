import { hardwareDetails } from '../../../api/metal3/hardware-details.ts'
import { hostStatus } from '../../../api/metal3/host-status.ts'
import type { Structural } from '../../../api/structural.ts'
import { isObject } from '../../../core/json.ts'
import type { BareMetalHost } from '../resources.ts'
import { carriedOf, detailsAnnotation, detailsOf, statusAnnotation } from './annotations.ts'

/** What is wrong with what people tell of a host in annotations: fields that nobody knows, and words that its status does not have. */
export function toldProblems({ metadata, status }: BareMetalHost): readonly string[] {
  const { [detailsAnnotation]: details, [statusAnnotation]: carried } = metadata.annotations ?? {}
  const unknown = unknownIn(hardwareDetails('').structural, detailsOf(details) ?? {})
  // One that comes too late is taken away, whatever it says.
  const wrong = status?.lastUpdated === undefined ? wrongWords(carriedOf(carried) ?? {}) : []
  return [
    ...unknown.map(field => `annotation ${detailsAnnotation} has ${field}, which hardware details do not have`),
    ...wrong.map(words => `annotation ${statusAnnotation} has ${words}, which no host has`),
  ]
}

function wrongWords(told: object): readonly string[] {
  const { properties = {} } = hostStatus().structural
  const said = told as Readonly<Record<string, unknown>>
  const at = isObject(said['provisioning']) ? { 'provisioning.state': said['provisioning']['state'] } : {}
  const words = { operationalStatus: said['operationalStatus'], errorType: said['errorType'], ...at }
  const known = { ...properties, 'provisioning.state': properties['provisioning']?.properties?.['state'] }
  return Object.entries(words).flatMap(([name, word]) => {
    const allowed: readonly unknown[] = known[name as keyof typeof known]?.enum ?? []
    return word === undefined || allowed.includes(word) ? [] : [`${name} ${JSON.stringify(word)}`]
  })
}

/** By their paths. */
function unknownIn({ properties, items }: Structural, value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return items ? value.flatMap((one, n) => unknownIn(items, one, `${path}[${n}]`)) : []
  if (!isObject(value) || !properties) return []
  return Object.entries(value).flatMap(([name, one]) => {
    const at = path === '' ? name : `${path}.${name}`
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    return known ? unknownIn(known, one, at) : [at]
  })
}
