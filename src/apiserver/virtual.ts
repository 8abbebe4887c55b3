import { ApiError } from '../api/status.ts'
import { isObject } from '../core/json.ts'
import type { HttpResponse } from '../ports/index.ts'
import { json } from './answer.ts'
import type { Rbac } from './auth/rbac.ts'
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  selfSubjectReview,
  selfSubjectRulesReview,
  subjectAccessReview,
  tokenReview,
} from './auth/reviews.ts'
import { requestToken } from './auth/token-request.ts'
import type { TokenOptions, Tokens } from './auth/tokens.ts'
import type { Api, Call } from './call.ts'
import { notFound } from './registry.ts'
import { objectKey } from './resource.ts'
import { named } from './verbs/admit.ts'
import { readBody, readOptionalBody } from './verbs/body.ts'

/** Answers requests for what is never stored; undefined where the ordinary verbs are meant. */
export type Virtual = (call: Call) => Promise<HttpResponse | undefined>

export interface Credentials {
  readonly tokens: Tokens
}

const tokenType = 'io.k8s.api.authentication.v1.TokenRequest'

export function virtualResources(api: Api, rbac: Rbac, credentials: Credentials | undefined): Virtual {
  return async call => {
    const { info, resource } = call
    if (info.verb !== 'create') return undefined
    if (info.subresource === 'token' && resource.plural === 'serviceaccounts') return json(await token(api, call, credentials), 201)
    if (info.subresource !== undefined || resource.verbs.includes('get')) return undefined
    const body = readBody(call).value
    const value = isObject(body) ? named(resource, body) : undefined
    if (value?.['kind'] !== resource.kind) throw new ApiError('BadRequest', `Cannot answer a ${resource.kind}: the body is none`)
    return json(
      {
        ...value,
        metadata: value['metadata'] ?? {},
        status: await review(call, rbac, credentials, isObject(value['spec']) ? value['spec'] : {}),
      },
      201,
    )
  }
}

async function token(api: Api, call: Call, credentials: Credentials | undefined): Promise<unknown> {
  const name = call.info.name ?? ''
  const account = api.world.get('/serviceaccounts', objectKey(call.info.namespace, name))
  if (!account) throw notFound(call.resource, name)
  const request = readOptionalBody(call, tokenType) ?? {}
  if (!isObject(request)) throw new ApiError('BadRequest', 'Cannot read a TokenRequest: the body is not an object')
  return requestToken(needed(credentials).tokens, uidsIn(api), account.object, request)
}

/** Tokens end with the objects they are bound to, so their uids are looked up at every use. */
export const uidsIn =
  (api: Pick<Api, 'world'>): TokenOptions['uidOf'] =>
  (resource, namespace, name) =>
    api.world.get(`/${resource}`, objectKey(namespace, name))?.object.metadata.uid

async function review(
  call: Call,
  rbac: Rbac,
  credentials: Credentials | undefined,
  spec: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { user, resource, info } = call
  switch (resource.kind) {
    case 'TokenReview':
      return tokenReview(needed(credentials).tokens, spec)
    case 'SelfSubjectReview':
      return selfSubjectReview(user)
    case 'SubjectAccessReview':
      return subjectAccessReview(rbac, spec)
    case 'LocalSubjectAccessReview':
      return localSubjectAccessReview(rbac, spec, info.namespace ?? '')
    case 'SelfSubjectAccessReview':
      return selfSubjectAccessReview(rbac, user, spec)
    case 'SelfSubjectRulesReview':
      return selfSubjectRulesReview(rbac, user, spec)
    default:
      throw new ApiError('MethodNotAllowed', `the server does not answer ${resource.kind}`)
  }
}

function needed(credentials: Credentials | undefined): Credentials {
  if (!credentials) throw new ApiError('ServiceUnavailable', 'Cannot issue or check tokens: this server runs without a signing key')
  return credentials
}
