import { Fault } from '../../core/fault.ts'
import type { BiosAttribute, BiosDependency, BiosValue } from '../../ports/bmc.ts'
import { followable } from '../transport/link.ts'
import { amount, field, flag, known, list, part, type Resource, text } from '../transport/read.ts'
import type { Service } from '../transport/service.ts'

const types: readonly BiosAttribute['type'][] = ['Enumeration', 'String', 'Integer', 'Boolean', 'Password']

/**
 * What may be set to what. The name in the BIOS resource and the name of the registry differ in version (Dell: v1_0_3 and v1_0_0), case
 * (HPE) or are not given at all (OpenBMC), so the part before the first dot counts.
 */
export async function readRegistry(
  service: Service,
  registries: string,
  name: string | undefined,
  signal?: AbortSignal,
): Promise<readonly BiosAttribute[]> {
  const wanted = stem(name ?? 'BiosAttributeRegistry')
  const links = await service.links(registries, signal)
  const link =
    links.find(one => stem(lastStep(one)) === wanted) ?? links.find(one => stem(lastStep(one)).startsWith('biosattributeregistry'))
  if (link === undefined) throw missing(service, name)
  const place = locationOf(await service.get(link, signal))
  if (place === undefined) throw missing(service, name)
  const entries = part(await service.get(place, signal), 'RegistryEntries')
  const dependencies = list(entries, 'Dependencies')
  return list(entries, 'Attributes')
    .map(attributeOf)
    .filter(attribute => attribute !== undefined)
    .map(attribute => {
      const found = dependencies.filter(one => text(one, 'DependencyFor') === attribute.name).flatMap(dependencyOf)
      return found.length === 0 ? attribute : { ...attribute, dependencies: found }
    })
}

/** Only what is joined by AND is understood: of anything else nobody could say whether it holds. */
function dependencyOf(entry: unknown): readonly BiosDependency[] {
  const rule = part(entry, 'Dependency')
  const from = list(rule, 'MapFrom')
  const property = text(rule, 'MapToProperty')
  if (property === undefined || from.some(one => (text(one, 'MapTerms') ?? 'AND') !== 'AND')) return []
  const when = from.map(one => ({
    setting: text(one, 'MapFromAttribute') ?? '',
    is: text(one, 'MapFromCondition') ?? '',
    value: plainOf(one, 'MapFromValue'),
  }))
  return [{ when, property, value: plainOf(rule, 'MapToValue') }]
}

function plainOf(entry: unknown, name: string): BiosValue {
  const value = field(entry, name)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

function locationOf(file: Resource): string | undefined {
  const locations = list(file, 'Location')
  const english = locations.find(location => /^en\b/i.test(text(location, 'Language') ?? '')) ?? locations[0]
  const uri = field(english, 'Uri')
  return uri === undefined ? undefined : followable(uri)
}

function attributeOf(entry: unknown): BiosAttribute | undefined {
  const name = text(entry, 'AttributeName')
  const type = types.find(one => one === text(entry, 'Type'))
  if (name === undefined || type === undefined) return undefined
  const values = list(entry, 'Value')
    .map(value => text(value, 'ValueName'))
    .filter(value => value !== undefined)
  return known<BiosAttribute>({
    name,
    type,
    // Dell spells it both ways.
    readOnly: (flag(entry, 'ReadOnly') ?? flag(entry, 'Readonly') ?? false) || flag(entry, 'Immutable') === true,
    values: type === 'Enumeration' ? values : undefined,
    minimum: amount(entry, 'LowerBound'),
    maximum: amount(entry, 'UpperBound'),
    minLength: amount(entry, 'MinLength'),
    maxLength: amount(entry, 'MaxLength'),
  })
}

const lastStep = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) ?? ''
const stem = (name: string): string => (name.split('.', 1)[0] ?? '').toLowerCase()

const missing = (service: Service, name: string | undefined): Fault =>
  new Fault(
    'bmc/not-offered',
    `Cannot read what the BIOS settings mean from the BMC at ${service.name}: it has no registry ${name ?? 'for them'}`,
    'when-changed',
  )
