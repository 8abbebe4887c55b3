import { execFile } from 'node:child_process'
import { Fault } from '../../core/fault.ts'
import { isObject } from '../../core/json.ts'

/** A program that makes credentials, as a kubeconfig describes it. */
export interface ExecPlugin {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly installHint: string | undefined
  /** What it is told about the cluster, where it asks to be. */
  readonly cluster: Readonly<Record<string, unknown>> | undefined
}

export interface ExecCredential {
  readonly token?: string
  readonly certificate?: string
  readonly key?: string
  /** When it ends, as the plugin said it: RFC 3339. */
  readonly expires?: string
}

const versions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']
const timeout = 60_000

export function readExecPlugin(
  exec: Readonly<Record<string, unknown>>,
  about: { server: string; authority?: string; insecure: boolean },
): ExecPlugin {
  const { apiVersion, command, args, env, installHint } = exec
  if (typeof command !== 'string' || command === '') throw broken('an exec plugin has no command')
  if (typeof apiVersion !== 'string' || !versions.includes(apiVersion))
    throw broken(`exec plugin ${command} speaks ${String(apiVersion)}, not ${versions.join(' or ')}`)
  if (exec['interactiveMode'] === 'Always') throw broken(`exec plugin ${command} wants to talk to a person, and there is none here`)
  const variables = (Array.isArray(env) ? (env as unknown[]) : [])
    .filter(isObject)
    .map(({ name, value }) => [String(name), String(value ?? '')])
  const authority = about.authority === undefined ? {} : { 'certificate-authority-data': Buffer.from(about.authority).toString('base64') }
  const insecure = about.insecure ? { 'insecure-skip-tls-verify': true } : {}
  return {
    apiVersion,
    command,
    args: Array.isArray(args) ? (args as unknown[]).map(String) : [],
    env: Object.fromEntries(variables) as Record<string, string>,
    installHint: typeof installHint === 'string' && installHint !== '' ? installHint : undefined,
    cluster: exec['provideClusterInfo'] === true ? { server: about.server, ...authority, ...insecure } : undefined,
  }
}

/** Runs the plugin once. Its standard error is shown to nobody unless it fails. */
export async function runExecPlugin(plugin: ExecPlugin): Promise<ExecCredential> {
  const info = {
    apiVersion: plugin.apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(plugin.cluster ? { cluster: plugin.cluster } : {}) },
  }
  const env = { ...process.env, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) }
  const output = await new Promise<string>((done, failed) => {
    const child = execFile(plugin.command, [...plugin.args], { env, timeout, maxBuffer: 1 << 20 }, (error, stdout, stderr) =>
      error ? failed(complaint(plugin, error, stderr)) : done(stdout),
    )
    child.stdin?.end()
  })
  return readCredential(plugin, output)
}

function readCredential(plugin: ExecPlugin, output: string): ExecCredential {
  const status = statusOf(plugin, output)
  const [token, certificate, key, expires] = ['token', 'clientCertificateData', 'clientKeyData', 'expirationTimestamp'].map(field => {
    const value = status[field]
    return typeof value === 'string' && value !== '' ? value : undefined
  })
  if (token === undefined && (certificate === undefined || key === undefined)) {
    throw broken(`exec plugin ${plugin.command} gave neither a token nor a certificate with its key`)
  }
  return {
    ...(token ? { token } : {}),
    ...(certificate && key ? { certificate, key } : {}),
    ...(expires ? { expires } : {}),
  }
}

function statusOf(plugin: ExecPlugin, output: string): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(output)
    if (isObject(answer) && answer['apiVersion'] === plugin.apiVersion && isObject(answer['status'])) return answer['status']
  } catch {
    // Told below: what it printed may be a secret, so it is not repeated.
  }
  throw broken(`exec plugin ${plugin.command} did not print an ExecCredential of ${plugin.apiVersion}`)
}

function complaint(plugin: ExecPlugin, error: Error & { code?: unknown }, stderr: string): Fault {
  if (error.code === 'ENOENT') return broken(`exec plugin ${plugin.command} is not installed`, plugin.installHint)
  return broken(`exec plugin ${plugin.command} failed (${stderr.trim().split('\n').at(-1)?.slice(0, 200) || error.message})`)
}

const broken = (found: string, hint?: string): Fault =>
  new Fault('kubeconfig/exec', `Cannot log in: ${found}`, 'backoff', hint === undefined ? {} : { hint })
