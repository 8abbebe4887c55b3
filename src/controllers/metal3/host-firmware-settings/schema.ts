import { createHash } from 'node:crypto'
import type { BiosAttribute } from '../../../ports/bmc.ts'
import type { FirmwareSchema } from '../resources.ts'

type Spec = NonNullable<FirmwareSchema['spec']>

/** What a machine says of its settings, in Metal3's words. */
export function schemaOf(vendor: string, model: string, registry: readonly BiosAttribute[]): Spec {
  const entries = registry
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(one => [one.name, settingOf(one)] as const)
  return { hardwareVendor: vendor, hardwareModel: model, schema: Object.fromEntries(entries) }
}

function settingOf(found: BiosAttribute): Spec['schema'][string] {
  const { type, readOnly, values, minimum, maximum, minLength, maxLength } = found
  return {
    attribute_type: type,
    ...(values === undefined ? {} : { allowable_values: values }),
    ...(minimum === undefined ? {} : { lower_bound: minimum }),
    ...(maximum === undefined ? {} : { upper_bound: maximum }),
    ...(minLength === undefined ? {} : { min_length: minLength }),
    ...(maxLength === undefined ? {} : { max_length: maxLength }),
    read_only: readOnly,
  }
}

/** The same content has the same name, so that machines which are alike share one; whose they are is part of it. */
export const schemaName = (spec: Spec): string => `schema-${createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 8)}`
