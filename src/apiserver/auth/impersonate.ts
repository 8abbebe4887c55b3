import { ApiError } from '../../api/status.ts'
import type { Attributes, HttpRequest, User } from '../../ports/index.ts'
import { authenticated } from './authenticate.ts'
import { forbidden } from './forbidden.ts'
import type { Rbac } from './rbac.ts'

const account = /^system:serviceaccount:([^:]+):([^:]+)$/

/**
 * Acts for somebody else (`kubectl --as`), where the sender may `impersonate` that user and every group, uid and extra asked for.
 * Without such headers the sender stays who they are.
 */
export function impersonate(rbac: Rbac, sender: User, { headers }: Pick<HttpRequest, 'headers'>): User {
  const name = headers['impersonate-user']
  const groups = listIn(headers['impersonate-group'])
  const uid = headers['impersonate-uid']
  const extra = extraIn(headers)
  if (name === undefined || name === '') {
    if (groups.length > 0 || uid !== undefined || Object.keys(extra).length > 0)
      throw new ApiError('BadRequest', 'Cannot impersonate groups, a uid or extras alone: the header Impersonate-User is missing')
    return sender
  }
  const [, namespace, serviceAccount] = account.exec(name) ?? []
  require(rbac, sender, namespace && serviceAccount
    ? { resource: 'serviceaccounts', namespace, name: serviceAccount }
    : { resource: 'users', name })
  for (const group of groups) require(rbac, sender, { resource: 'groups', name: group })
  if (uid !== undefined) require(rbac, sender, { resource: 'uids', group: 'authentication.k8s.io', name: uid })
  for (const [key, values] of Object.entries(extra))
    for (const value of values)
      require(rbac, sender, { resource: 'userextras', subresource: key, group: 'authentication.k8s.io', name: value })
  const implied = namespace && groups.length === 0 ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : []
  return {
    name,
    groups: [...new Set([...groups, ...implied, ...(name === 'system:anonymous' ? [] : [authenticated])])],
    ...(uid === undefined ? {} : { uid }),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  }
}

function require(
  rbac: Rbac,
  sender: User,
  what: {
    readonly resource: string
    readonly name: string
    readonly namespace?: string
    readonly subresource?: string
    readonly group?: string
  },
): void {
  const asked: Attributes = { verb: 'impersonate', group: '', ...what }
  const verdict = rbac.authorize(sender, asked)
  if (!verdict.allowed) throw forbidden(sender, asked)
}

/** HTTP joins repeated headers with commas. */
const listIn = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

function extraIn(headers: HttpRequest['headers']): Record<string, readonly string[]> {
  const prefix = 'impersonate-extra-'
  const found: Record<string, readonly string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(prefix) || name.length === prefix.length) continue
    try {
      found[decodeURIComponent(name.slice(prefix.length))] = listIn(value)
    } catch {
      throw new ApiError('BadRequest', `Cannot read the header ${name}: it is not valid percent-encoding`)
    }
  }
  return found
}
