import { readFile } from 'node:fs/promises'
import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'
import type { ClientTls } from '../../net/client.ts'
import type { Connection, Login } from './connection.ts'
import { readExecPlugin } from './exec-plugin.ts'
import type { Entry, Kubeconfig } from './read.ts'

export interface Choice {
  /** Instead of the current context. */
  readonly context?: string
  /** Takes servers without a certificate that can be checked. A person has to ask for it. */
  readonly allowInsecure?: boolean
}

/** The connection that a context stands for. Reads the files it names. */
export async function selectConnection(config: Kubeconfig, choice: Choice = {}): Promise<Connection> {
  const name = choice.context ?? config.currentContext
  if (name === undefined) throw broken('no context is current', 'Choose one: kubectl config use-context <name>.')
  const context = config.contexts[name]
  if (!context) throw broken(`there is no context "${name}"`, `The contexts are: ${Object.keys(config.contexts).join(', ') || 'none'}.`)
  const cluster = config.clusters[text(context, 'cluster') ?? '']
  if (!cluster) throw broken(`context "${name}" names cluster "${text(context, 'cluster') ?? ''}", which is not there`)
  const userName = text(context, 'user')
  const user = userName === undefined ? {} : config.users[userName]
  if (!user) throw broken(`context "${name}" names user "${userName}", which is not there`)
  const server = text(cluster, 'server') ?? 'http://localhost:8080'
  const { tls, login } = await identify(cluster, user, server)
  refuseInsecure(server, cluster, choice)
  return { server, namespace: text(context, 'namespace') ?? 'default', tls, login, impersonation: impersonation(user) }
}

async function identify(cluster: Entry, user: Entry, server: string): Promise<{ tls: ClientTls; login: Login }> {
  if (text(cluster, 'proxy-url') !== undefined)
    throw broken(`cluster ${server} has a proxy-url, which is not supported`, 'Reach it without one.')
  const [authority, certificate, key] = await Promise.all([
    pem(cluster, 'certificate-authority'),
    pem(user, 'client-certificate'),
    pem(user, 'client-key'),
  ])
  if ((certificate === undefined) !== (key === undefined))
    throw broken('a user has a client certificate without its key, or a key without its certificate')
  const serverName = text(cluster, 'tls-server-name')
  const tls: ClientTls = {
    ...(authority === undefined ? {} : { authority }),
    ...(certificate === undefined ? {} : { certificate }),
    ...(key === undefined ? {} : { key }),
    ...(serverName === undefined ? {} : { serverName }),
    ...(cluster['insecure-skip-tls-verify'] === true ? { insecure: true } : {}),
  }
  return { tls, login: readLogin(user, cluster, server, authority, certificate !== undefined) }
}

/** In the order in which Kubernetes' own clients let one beat another. */
function readLogin(user: Entry, cluster: Entry, server: string, authority: string | undefined, hasCertificate: boolean): Login {
  const [path, token, username] = [text(user, 'tokenFile'), text(user, 'token'), text(user, 'username')]
  if (path !== undefined) return { by: 'token-file', path }
  if (token !== undefined) return { by: 'token', token }
  if (isObject(user['exec'])) {
    const about = { server, ...(authority ? { authority } : {}), insecure: cluster['insecure-skip-tls-verify'] === true }
    return { by: 'exec', plugin: readExecPlugin(user['exec'], about) }
  }
  if (username !== undefined) return { by: 'password', username, password: text(user, 'password') ?? '' }
  if (user['auth-provider'] !== undefined)
    throw broken('a user logs in by auth-provider, which Kubernetes removed in 1.26', 'Use its exec plugin instead.')
  return { by: hasCertificate ? 'certificate' : 'nothing' }
}

function refuseInsecure(server: string, cluster: Entry, choice: Choice): void {
  if (choice.allowInsecure) return
  const plain = server.startsWith('http:')
  if (!plain && cluster['insecure-skip-tls-verify'] !== true) return
  throw new Fault(
    'kubeconfig/insecure',
    `Cannot use ${server}: ${plain ? 'it is plain HTTP' : 'the kubeconfig says not to check its certificate'}, so anybody on the way could read and change everything`,
    'when-changed',
    { hint: 'Put its certificate-authority into the kubeconfig, or allow insecure connections explicitly.' },
  )
}

function impersonation(user: Entry): Record<string, string> {
  const [name, uid] = [text(user, 'as'), text(user, 'as-uid')]
  const groups = Array.isArray(user['as-groups']) ? (user['as-groups'] as unknown[]).map(String) : []
  if (groups.length > 1 || isObject(user['as-user-extra'])) {
    throw broken('a user impersonates several groups or extra fields, which is not supported', 'Impersonate a user that has them.')
  }
  return {
    ...(name === undefined ? {} : { 'impersonate-user': name }),
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups[0] === undefined ? {} : { 'impersonate-group': groups[0] }),
  }
}

/** `<field>-data` in base64 beats the file that `<field>` names. */
async function pem(entry: Entry, field: string): Promise<string | undefined> {
  const data = text(entry, `${field}-data`)
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8')
  const path = text(entry, field)
  if (path === undefined) return undefined
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new Fault('kubeconfig/file-missing', `Cannot read the ${field} ${path}: ${(cause as Error).message}`, 'when-changed', { cause })
  }
}

const text = (entry: Entry, field: string): string | undefined => {
  const value = entry[field]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const broken = (found: string, hint?: string): Fault =>
  new Fault('kubeconfig/incomplete', `Cannot use the kubeconfig: ${found}`, 'when-changed', hint === undefined ? {} : { hint })
