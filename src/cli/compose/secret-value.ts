import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'

/** One value of a Secret or BMCSecret; `data` wins over `stringData`, as the API server has it. */
export function secretValue(secret: KubeObject, key: string): string | undefined {
  const { data, stringData } = secret
  const encoded = isObject(data) ? data[key] : undefined
  if (typeof encoded === 'string') return Buffer.from(encoded, 'base64').toString('utf8')
  const plain = isObject(stringData) ? stringData[key] : undefined
  return typeof plain === 'string' ? plain : undefined
}
