import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import type { UserData } from './read.ts'

const versions: Readonly<Record<string, string>> = {
  '1.0.0': '3.0.0',
  '1.1.0': '3.1.0',
  '1.2.0': '3.2.0',
  '1.3.0': '3.2.0',
  '1.4.0': '3.3.0',
  '1.5.0': '3.4.0',
  '1.6.0': '3.5.0',
}

class Refused extends Error {}

type Fields = Readonly<Record<string, (value: Json, at: string) => Json>>

/** Butane of variant fcos: inline files, units and users. Everything else is refused by its name rather than dropped. */
export function translateButane(yaml: Record<string, unknown>): UserData {
  const { variant, version, ...rest } = yaml as Record<string, Json>
  if (variant !== 'fcos') return { wrong: 'its variant is not fcos' }
  const spec = typeof version === 'string' && Object.hasOwn(versions, version) ? versions[version] : undefined
  if (spec === undefined) return { wrong: 'its version of fcos is not known here' }
  try {
    return { ignition: { ignition: { version: spec }, ...fields(top, rest, '') } }
  } catch (error) {
    if (error instanceof Refused) return { wrong: error.message }
    throw error
  }
}

const same = (value: Json): Json => value
const text = (value: Json, at: string): Json => {
  if (typeof value !== 'string') throw new Refused(`${at} is not text`)
  return value
}
const list =
  (of: (value: Json, at: string) => Json) =>
  (value: Json, at: string): Json => {
    if (!Array.isArray(value)) throw new Refused(`${at} is not a list`)
    return value.map((item: Json, i) => of(item, `${at}[${i}]`))
  }
const object =
  (known: Fields) =>
  (value: Json, at: string): JsonObject => {
    if (!isObject(value)) throw new Refused(`${at} is not an object`)
    return fields(known, value as Record<string, Json>, at)
  }

/** Butane writes names with underscores, Ignition in camel case. */
function fields(known: Fields, value: Readonly<Record<string, Json>>, at: string): JsonObject {
  const out: Record<string, Json> = {}
  for (const [name, inside] of Object.entries(value)) {
    const path = at === '' ? name : `${at}.${name}`
    const read = Object.hasOwn(known, name) ? known[name] : undefined
    if (!read) throw new Refused(`${path} is not supported`)
    if (inside === null) continue
    out[name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())] = read(inside, path)
  }
  return out
}

/** Inline content becomes a data URL; anything that would be fetched from elsewhere is refused. */
function contents(value: Json, at: string): Json {
  if (!isObject(value)) throw new Refused(`${at} is not an object`)
  for (const name of Object.keys(value)) if (name !== 'inline') throw new Refused(`${at}.${name} is not supported`)
  return { source: `data:;base64,${Buffer.from(String(text(value['inline'] as Json, `${at}.inline`))).toString('base64')}` }
}

const owner = object({ id: same, name: text })
const file = object({ path: text, overwrite: same, mode: same, user: owner, group: owner, contents, append: list(contents) })
const directory = object({ path: text, overwrite: same, mode: same, user: owner, group: owner })
const link = object({ path: text, target: text, hard: same, overwrite: same, user: owner, group: owner })
const dropin = object({ name: text, contents: text })
const unit = object({ name: text, enabled: same, mask: same, contents: text, dropins: list(dropin) })
const user = object({
  name: text,
  password_hash: text,
  ssh_authorized_keys: list(text),
  uid: same,
  gecos: text,
  home_dir: text,
  no_create_home: same,
  primary_group: text,
  groups: list(text),
  no_user_group: same,
  no_log_init: same,
  shell: text,
  system: same,
})
const group = object({ name: text, gid: same, password_hash: text, system: same })

const top: Fields = {
  storage: object({ files: list(file), directories: list(directory), links: list(link) }),
  systemd: object({ units: list(unit) }),
  passwd: object({ users: list(user), groups: list(group) }),
}
