import type { ClientTls } from '../../net/client.ts'
import type { ExecPlugin } from './exec-plugin.ts'

/** Where an API server is, why it is trusted, and as whom we come. */
export interface Connection {
  readonly server: string
  /** Where requests go that name no namespace. */
  readonly namespace: string
  readonly tls: ClientTls
  readonly login: Login
  /** Headers that ask to act as somebody else. */
  readonly impersonation: Readonly<Record<string, string>>
}

export type Login =
  | { readonly by: 'nothing' }
  | { readonly by: 'certificate' }
  | { readonly by: 'token'; readonly token: string }
  | { readonly by: 'token-file'; readonly path: string }
  | { readonly by: 'password'; readonly username: string; readonly password: string }
  | { readonly by: 'exec'; readonly plugin: ExecPlugin }
