import { readFile } from 'node:fs/promises'
import { type Instant, minutes, seconds } from '../../core/duration.ts'
import { Fault } from '../../core/fault.ts'
import { parseInstant } from '../../core/instant.ts'
import type { Clock } from '../../ports/index.ts'
import type { Login } from './connection.ts'
import { runExecPlugin } from './exec-plugin.ts'

/** What to show a server now. */
export interface Credential {
  readonly headers: Readonly<Record<string, string>>
  readonly certificate?: { readonly certificate: string; readonly key: string }
}

export interface Credentials {
  current(): Promise<Credential>
  /** The server refused the current one: whether asking again may bring another. */
  refused(): boolean
}

/** As often as Kubernetes' own clients look at a token file; the kubelet renews it long before it ends. */
const readAgain = minutes(1)
const early = seconds(10)

export function credentialsFor(login: Login, clock: Clock): Credentials {
  switch (login.by) {
    case 'nothing':
    case 'certificate':
      return fixed({})
    case 'token':
      return fixed(bearer(login.token))
    case 'password':
      return fixed({ authorization: `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}` })
    case 'token-file':
      return renewed(clock, async () => ({ credential: { headers: bearer(await readToken(login.path)) }, until: clock.now() + readAgain }))
    case 'exec':
      return renewed(clock, async () => {
        const { token, certificate, key, expires } = await runExecPlugin(login.plugin)
        const credential = { headers: token ? bearer(token) : {}, ...(certificate && key ? { certificate: { certificate, key } } : {}) }
        const end = expires === undefined ? undefined : parseInstant(expires)
        return { credential, until: end === undefined ? undefined : end - early }
      })
  }
}

const fixed = (headers: Credential['headers']): Credentials => ({ current: async () => ({ headers }), refused: () => false })

/** Keeps a credential until its time, and asks once however many wait. A failed renewal leaves the old one in use: it may still be good. */
function renewed(clock: Clock, make: () => Promise<{ credential: Credential; until: Instant | undefined }>): Credentials {
  let held: { readonly credential: Credential; readonly until: Instant | undefined } | undefined
  let asking: Promise<Credential> | undefined
  const renew = async (): Promise<Credential> => {
    try {
      held = await make()
      return held.credential
    } catch (error) {
      if (!held) throw error
      held = { ...held, until: clock.now() + early }
      return held.credential
    } finally {
      asking = undefined
    }
  }
  return {
    async current() {
      if (held && (held.until === undefined || clock.now() < held.until)) return held.credential
      asking ??= renew()
      return asking
    },
    refused() {
      held = undefined
      return true
    },
  }
}

async function readToken(path: string): Promise<string> {
  try {
    const token = (await readFile(path, 'utf8')).trim()
    if (token !== '') return token
  } catch (cause) {
    throw new Fault('kubeconfig/file-missing', `Cannot read the token ${path}: ${(cause as Error).message}`, 'backoff', { cause })
  }
  throw new Fault('kubeconfig/file-missing', `Cannot read the token ${path}: it is empty`, 'backoff')
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
