import { isObject } from '../../core/json.ts'
import { put, reach, text } from './reach.ts'

/** The stub Ignition that a machine resource starts its machines with. */
export interface Stub {
  readonly secret: string
  /** What the Secret holds; undefined where there is no such Secret, null where it has no user data. */
  readonly userData: string | null | undefined
}

export type StubVerdict =
  | { readonly is: 'fine' }
  | { readonly is: 'switch'; readonly to: string }
  | { readonly is: 'upgrade'; readonly userData: string }
  | { readonly is: 'hindered'; readonly reason: string; readonly because: string }

const hindered = (reason: string, because: string): StubVerdict => ({ is: 'hindered', reason, because })

const role = /^[a-z0-9.-]+-user-data$/

/** The Secret that the operator keeps, for a Secret that the installer made. */
export const managedNameOf = (secret: string): string | undefined => (role.test(secret) ? `${secret}-managed` : undefined)

/** The seed's way: the installer's Secret is left for the managed one, if that one is there and good. */
export function bySwitching(stub: Stub | undefined, managed: Stub | undefined): StubVerdict {
  if (!stub) return hindered('NoStub', 'it names no user data Secret')
  if (stub.secret.endsWith('-user-data-managed')) return { is: 'fine' }
  const name = managedNameOf(stub.secret)
  if (name === undefined)
    return hindered(
      'ForeignStub',
      `user data Secret ${stub.secret} is not one of <role>-user-data: it is left alone, and the image with it`,
    )
  if (managed?.userData === undefined) return hindered('NoManagedStub', `there is no Secret ${name} to switch to`)
  const version = versionOf(managed.userData)
  if (typeof version !== 'string') return hindered('BadStub', `Secret ${name} ${version.because}`)
  return version.startsWith('3.') ? { is: 'switch', to: name } : hindered('BadStub', `Secret ${name} is of Ignition ${version}, not 3`)
}

/** The other way: the Secret stays, and is lifted to spec 3 in place where it is older. */
export function byUpgrading(stub: Stub | undefined): StubVerdict {
  if (!stub) return hindered('NoStub', 'it names no user data Secret')
  if (stub.userData === undefined) return hindered('NoStub', `there is no Secret ${stub.secret}`)
  const version = versionOf(stub.userData)
  if (typeof version !== 'string') return hindered('BadStub', `Secret ${stub.secret} ${version.because}`)
  if (version.startsWith('3.')) return { is: 'fine' }
  if (!version.startsWith('2.')) return hindered('BadStub', `Secret ${stub.secret} is of Ignition ${version}; 2 and 3 are understood`)
  const upgraded = toSpec3(JSON.parse(stub.userData ?? ''))
  return 'because' in upgraded
    ? hindered('BadStub', `Secret ${stub.secret} cannot be lifted to Ignition 3: ${upgraded.because}`)
    : { is: 'upgrade', userData: JSON.stringify(upgraded.config) }
}

/** The Ignition version of a user data text. */
export function versionOf(userData: string | null): string | { readonly because: string } {
  if (userData === null) return { because: 'has no key userData' }
  let parsed: unknown
  try {
    parsed = JSON.parse(userData)
  } catch {
    return { because: 'does not hold JSON' }
  }
  return text(reach(parsed, 'ignition', 'version')) ?? { because: 'says no Ignition version' }
}

/** A stub holds where the rest comes from, and whom to believe; what else a user put in stays, as far as both specs say it alike. */
function toSpec3(config: unknown): { readonly config: unknown } | { readonly because: string } {
  const ignition = reach(config, 'ignition')
  if (!isObject(config) || !isObject(ignition)) return { because: 'it is no Ignition config' }
  for (const part of ['networkd'] as const)
    if (config[part] !== undefined && !isEmpty(config[part])) return { because: `"${part}" has no place there` }
  const filesystems = reach(config, 'storage', 'filesystems')
  if (Array.isArray(filesystems) && filesystems.length > 0) return { because: '"storage.filesystems" is written differently there' }
  const { config: sources, timeouts: _, ...rest } = ignition
  const merge = reach(sources, 'append')
  const replace = reach(sources, 'replace')
  const next = {
    ...rest,
    version: '3.2.0',
    ...(Array.isArray(merge) && merge.length > 0 ? { config: { merge: merge.map(source) } } : {}),
    ...(isObject(replace) ? { config: { replace: source(replace) } } : {}),
  }
  const { networkd: __, ...others } = config
  return { config: withFiles({ ...others, ignition: next }) }
}

const source = (given: unknown): unknown => {
  if (!isObject(given)) return given
  const { verification, ...rest } = given
  return isEmpty(verification) ? rest : given
}

/** Spec 2 says where a file lies with a file system; spec 3 knows the root alone. */
function withFiles(config: Record<string, unknown>): unknown {
  const files = reach(config, 'storage', 'files')
  if (!Array.isArray(files)) return config
  const lifted = files.map(file => {
    if (!isObject(file)) return file
    const { filesystem: _, ...rest } = file
    return { overwrite: true, ...rest }
  })
  return put(config, ['storage', 'files'], lifted)
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0)
