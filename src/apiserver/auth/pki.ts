import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { type Credential, createAuthority, createClientCertificate, createServerCertificate, newKey } from '../../net/certificates.ts'
import type { Clock, Log } from '../../ports/index.ts'
import { kubeconfigText } from './kubeconfig.ts'
import { authorityLasts, damaged, type Found, isKept, isSigningKey, keptAuthority, leafLasts } from './pki-plan.ts'
import { mastersGroup } from './rbac.ts'

/** All keys of one instance, as PEM texts. */
export interface Pki {
  /** The authority's certificate alone; its key stays in its file. */
  readonly authority: string
  readonly server: Credential
  readonly admin: Credential
  /** Signs ServiceAccount tokens. */
  readonly tokenKey: string
}

export interface PkiOptions {
  readonly home: string
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Names and addresses under which clients reach the server, besides the usual ones. */
  readonly names?: readonly string[]
}

const usualNames = [
  'localhost',
  '127.0.0.1',
  '::1',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
]

/**
 * Reads `<home>/data/pki`, makes what is missing and renews leaves before they expire. Call it again now and then while running:
 * what has not changed comes back as it was.
 */
export async function openPki({ home, clock, log, names = [] }: PkiOptions): Promise<Pki> {
  const folder = join(home, 'data', 'pki')
  const now = clock.now()
  await privateFolder(folder)
  const authority = await theAuthority(folder, now, log)
  const all = [...new Set([...usualNames, ...names])]
  const life = { now, lasts: leafLasts }
  const server = await leaf(folder, 'server', authority, all, now, log, () =>
    createServerCertificate(authority, { commonName: 'kubernetes' }, all, life),
  )
  const admin = await leaf(folder, 'admin', authority, [], now, log, () =>
    createClientCertificate(authority, { commonName: 'rackwright-admin', organizations: [mastersGroup] }, life),
  )
  return { authority: authority.certificate, server, admin, tokenKey: await theTokenKey(folder) }
}

/** Writes `<home>/kubeconfig` for the administrator, if it does not say exactly this already. Returns its path. */
export async function writeKubeconfig(home: string, pki: Pki, url: string): Promise<string> {
  const path = join(home, 'kubeconfig')
  const text = kubeconfigText(url, pki.authority, pki.admin)
  if ((await textOf(path)) === text) await chmod(path, 0o600)
  else await writePrivate(path, text)
  return path
}

async function theAuthority(folder: string, now: Instant, log: Log): Promise<Credential> {
  const inUse = (await textOf(join(folder, 'server.crt'))) !== undefined
  const kept = keptAuthority(await pair(folder, 'ca'), inUse, now, folder)
  if (kept?.warning) log.warn(kept.warning, { folder })
  if (kept) return kept.authority
  const made = await createAuthority({ commonName: 'rackwright-ca' }, { now, lasts: authorityLasts })
  await writePair(folder, 'ca', made)
  return made
}

async function leaf(
  folder: string,
  name: string,
  authority: Credential,
  names: readonly string[],
  now: Instant,
  log: Log,
  make: () => Promise<Credential>,
): Promise<Credential> {
  const found = await pair(folder, name)
  if (isKept(found, authority, names, now)) return found
  const made = await make()
  await writePair(folder, name, made)
  if (found.certificate !== undefined) log.info('renewed a certificate', { name })
  return made
}

async function theTokenKey(folder: string): Promise<string> {
  const path = join(folder, 'sa.key')
  const found = await textOf(path)
  if (found === undefined) {
    const made = newKey()
    await writePrivate(path, made)
    return made
  }
  if (!isSigningKey(found)) throw damaged(folder, 'sa.key is not an EC P-256 key')
  return found
}

async function pair(folder: string, name: string): Promise<Found> {
  const certificate = await textOf(join(folder, `${name}.crt`))
  const key = await textOf(join(folder, `${name}.key`))
  return { ...(certificate === undefined ? {} : { certificate }), ...(key === undefined ? {} : { key }) }
}

/** The key first: a crash in between leaves a pair that does not match, which for leaves is made anew. */
async function writePair(folder: string, name: string, { certificate, key }: Credential): Promise<void> {
  await writePrivate(join(folder, `${name}.key`), key)
  await writePrivate(join(folder, `${name}.crt`), certificate)
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cannot('read', path, error)
  }
}

/** Readable for this user alone from the first byte on, and either old or new, never half. */
async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.new`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      await file.chmod(0o600)
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    throw cannot('write', path, error)
  }
}

async function privateFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
  } catch (error) {
    throw cannot('write', folder, error)
  }
}

const cannot = (what: 'read' | 'write', path: string, error: unknown): Fault =>
  new Fault(`pki/cannot-${what}`, `Cannot ${what} ${path}: ${error instanceof Error ? error.message : String(error)}`, 'when-changed', {
    cause: error,
    hint: 'Give this user the right to it, or choose another state folder with RACKWRIGHT_HOME.',
  })
