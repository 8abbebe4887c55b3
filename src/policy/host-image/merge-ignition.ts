import { isObject, type Json, type JsonObject, sameJson } from '../../core/json.ts'

/** Both in one, and what of theirs stands back behind ours; or why that cannot be. Nothing of the content is repeated: it is somebody's secret. */
export type Merged = { readonly ignition: JsonObject; readonly conflicts: readonly string[] } | { readonly refused: string }

/** What tells two entries of a list apart; entries of other lists are kept side by side. */
const keys: Readonly<Record<string, string>> = {
  'storage.files': 'path',
  'storage.directories': 'path',
  'storage.links': 'path',
  'storage.disks': 'device',
  'storage.filesystems': 'device',
  'storage.raid': 'name',
  'storage.luks': 'name',
  'systemd.units': 'name',
  'passwd.users': 'name',
  'passwd.groups': 'name',
}
/** A path is a file, a folder or a link, and one of them. */
const paths = ['storage.files', 'storage.directories', 'storage.links']

/** Puts somebody's Ignition beside ours. Where both speak of the same thing ours is taken, and the conflict named. */
export function mergeIgnition(ours: JsonObject, theirs: Json): Merged {
  const version = versionOf(theirs)
  if (typeof version !== 'string') return version
  const conflicts: string[] = []
  const taken = new Set(paths.flatMap(at => entriesAt(ours, at).map(entry => entry['path'])))
  const merged = together('', ours, theirs as JsonObject, conflicts, taken)
  const head = merged['ignition'] as JsonObject
  return { ignition: { ...merged, ignition: { ...head, version: later(versionIn(ours), version) } }, conflicts: conflicts.toSorted() }
}

function versionOf(theirs: Json): string | { readonly refused: string } {
  const version = isObject(theirs) ? versionIn(theirs as JsonObject) : undefined
  if (version === undefined) return { refused: 'it is no Ignition: ignition.version is not there' }
  if (!/^3\.\d{1,3}\.\d{1,3}$/.test(version))
    return {
      refused: `it is Ignition ${/^[\w.+-]{1,20}$/.test(version) ? version : 'of a version that is none'}; 3.0.0 or newer of 3 is needed`,
    }
  const { config } = (theirs as { readonly ignition: { readonly config?: Json } }).ignition
  if (isObject(config) && config['replace'] !== undefined)
    return { refused: 'ignition.config.replace would put something else in place of the Ironic agent' }
  // What is fetched that way is laid over whatever fetches it, and nobody can look at it before.
  if (isObject(config) && config['merge'] !== undefined && !(Array.isArray(config['merge']) && config['merge'].length === 0))
    return { refused: 'ignition.config.merge would win over the Ironic agent: write what it points to into the Ignition itself' }
  return version
}

const versionIn = ({ ignition }: JsonObject): string | undefined =>
  isObject(ignition) && typeof ignition['version'] === 'string' ? ignition['version'] : undefined

const later = (a = '3.0.0', b: string): string => (minor(a) >= minor(b) ? a : b)
const minor = (version: string): number => Number(version.split('.')[1])

function entriesAt(config: JsonObject, path: string): readonly JsonObject[] {
  const [section = '', list = ''] = path.split('.')
  const inside = config[section]
  const found = isObject(inside) ? inside[list] : undefined
  return Array.isArray(found) ? (found.filter(entry => isObject(entry)) as readonly JsonObject[]) : []
}

function together(at: string, ours: JsonObject, theirs: JsonObject, conflicts: string[], taken: ReadonlySet<unknown>): JsonObject {
  const out: Record<string, Json> = { ...ours }
  for (const [name, their] of Object.entries(theirs)) {
    const path = at === '' ? name : `${at}.${name}`
    const our = Object.hasOwn(ours, name) ? ours[name] : undefined
    if (path === 'ignition.version' || their === null || their === undefined) continue
    if (Array.isArray(their)) out[name] = lists(path, Array.isArray(our) ? our : [], their, conflicts, taken)
    else if (isObject(their) && (our === undefined || isObject(our)))
      out[name] = together(path, (our ?? {}) as JsonObject, their as JsonObject, conflicts, taken)
    else if (our === undefined) out[name] = their
    else if (!sameJson(our, their)) conflicts.push(path)
  }
  return out
}

function lists(path: string, ours: readonly Json[], theirs: readonly Json[], conflicts: string[], taken: ReadonlySet<unknown>): Json {
  const key = keys[path]
  if (key === undefined) return [...ours, ...theirs.filter(their => !ours.some(our => sameJson(our, their)))]
  const added: Json[] = []
  const merged = [...ours]
  for (const their of theirs) {
    const name = isObject(their) ? their[key] : undefined
    const index = ours.findIndex(our => isObject(our) && our[key] === name)
    const our = ours[index]
    if (path === 'passwd.users' && our !== undefined)
      merged[index] = together(`${path}[${String(name)}]`, our as JsonObject, their as JsonObject, conflicts, taken)
    else if (our === undefined && !(paths.includes(path) && taken.has(name))) added.push(their)
    else if (our === undefined || !sameJson(our, their)) conflicts.push(`${path} ${String(name)}`)
  }
  return [...merged, ...added]
}
