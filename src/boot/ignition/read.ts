import { isObject, type Json } from '../../core/json.ts'
import { decodeJson } from '../../net/body/json.ts'
import { decodeYaml } from '../../net/body/yaml.ts'
import { translateButane } from './butane.ts'

/** Ignition as it is sent, or why not. Nothing of the content is repeated in `wrong`: it is somebody's secret. */
export type UserData = { readonly ignition: Json } | { readonly wrong: string }

/** Ignition in JSON is passed on; Butane in YAML is translated as far as it is known here, and refused by name beyond. */
export function readUserData(bytes: Uint8Array): UserData {
  const json = attempted(() => decodeJson(bytes))
  if (isObject(json)) {
    const head = json['ignition']
    if (isObject(head) && typeof head['version'] === 'string') return { ignition: json as Json }
  }
  const yaml = json ?? attempted(() => decodeYaml(bytes))
  if (!isObject(yaml)) return { wrong: 'it is neither Ignition nor Butane' }
  return translateButane(yaml)
}

function attempted(read: () => Json): Json | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
