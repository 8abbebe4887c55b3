/** What a management controller lists. */
interface Listed {
  readonly id: string
  readonly path?: string
  readonly name: string
  readonly version: string
}

/** A component of a host by the name that Metal3 has for it. */
export interface HostComponent {
  readonly component: string
  readonly version: string
  /** What an update is told to be for; undefined where its image says that by itself. */
  readonly target?: string
}

const adapters = /(^|[^a-z])nic([^a-z]|$)|ethernet|network|^ob_/i

/** Its BIOS, its management controller and its network adapters: others have no name here. */
export function hostComponents(found: {
  readonly bios: string | undefined
  readonly bmc: string | undefined
  readonly list: readonly Listed[]
}): readonly HostComponent[] {
  const single = (component: string, version: string | undefined): readonly HostComponent[] =>
    version === undefined || version === '' ? [] : [{ component, version }]
  const nics = found.list
    .filter(({ id, name, version }) => version !== '' && (adapters.test(name) || adapters.test(id)))
    .map(({ id, path, version }) => ({ component: `nic:${id}`, version, ...(path === undefined ? {} : { target: path }) }))
  return [...single('bios', found.bios), ...single('bmc', found.bmc), ...nics.toSorted((a, b) => (a.component < b.component ? -1 : 1))]
}

/** What is wrong with the updates that somebody wants, in words; `known` are the components of the machine. */
export function updateProblems(
  updates: readonly { readonly component: string; readonly url: string }[],
  known: readonly string[],
): readonly string[] {
  const names = updates.map(({ component }) => component)
  return [
    ...updates.flatMap(({ component, url }) => [
      ...(known.includes(component) ? [] : [`${component} is none of its components, which are ${known.join(', ') || 'not known'}`]),
      ...(addressProblem(component, url) ?? []),
    ]),
    ...[...new Set(names.filter((name, at) => names.indexOf(name) !== at))].map(name => `${name} is named more than once`),
  ]
}

function addressProblem(component: string, url: string): readonly string[] | undefined {
  const read = URL.parse(url)
  if (!read) return [`the url of ${component} is not an address`]
  if (read.protocol !== 'http:' && read.protocol !== 'https:') return [`the url of ${component} must begin with http:// or https://`]
  if (read.username !== '' || read.password !== '') return [`the url of ${component} holds credentials, which are not supported`]
  return undefined
}
