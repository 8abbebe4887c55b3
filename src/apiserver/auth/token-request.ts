import { ApiError, type Cause } from '../../api/status.ts'
import { seconds } from '../../core/duration.ts'
import { printInstant } from '../../core/instant.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { BoundObject, TokenOptions, Tokens } from './tokens.ts'

const shortest = 600
const longest = 2 ** 32
const usual = 3_600

/** Answers `create serviceaccounts/token`: the TokenRequest with its status filled in. */
export async function requestToken(
  tokens: Tokens,
  uidOf: TokenOptions['uidOf'],
  account: KubeObject,
  request: Readonly<Record<string, unknown>>,
): Promise<KubeObject> {
  const spec = isObject(request['spec']) ? request['spec'] : {}
  const name = account.metadata.name
  const namespace = account.metadata.namespace ?? ''
  const lasts = durationIn(spec, name)
  const asked = Array.isArray(spec['audiences']) ? spec['audiences'].filter(a => typeof a === 'string') : []
  const audiences = asked.length > 0 ? asked : [tokens.issuer]
  const secret = boundIn(spec, name, namespace, uidOf)
  const order = {
    namespace,
    account: { name, uid: account.metadata.uid ?? '' },
    audiences,
    lasts: seconds(lasts),
    ...(secret ? { secret } : {}),
  }
  const { token, expires } = await tokens.issue(order)
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace },
    spec: { ...spec, audiences, expirationSeconds: lasts },
    status: { token, expirationTimestamp: printInstant(expires) },
  }
}

function durationIn(spec: Readonly<Record<string, unknown>>, name: string): number {
  const asked = spec['expirationSeconds'] ?? usual
  const field = 'spec.expirationSeconds'
  if (typeof asked !== 'number' || !Number.isInteger(asked))
    throw invalid(name, { reason: 'FieldValueTypeInvalid', message: 'Invalid value: it is not a whole number of seconds', field })
  const wrong = asked < shortest ? 'less than 10 minutes' : asked > longest ? 'more than 2^32 seconds' : undefined
  if (wrong)
    throw invalid(name, { reason: 'FieldValueInvalid', message: `Invalid value: ${asked}: may not specify a duration ${wrong}`, field })
  return asked
}

function boundIn(
  spec: Readonly<Record<string, unknown>>,
  name: string,
  namespace: string,
  uidOf: TokenOptions['uidOf'],
): BoundObject | undefined {
  const ref = spec['boundObjectRef']
  if (!isObject(ref)) return undefined
  if (ref['kind'] !== 'Secret' || (ref['apiVersion'] !== undefined && ref['apiVersion'] !== 'v1'))
    throw invalid(name, {
      reason: 'FieldValueNotSupported',
      message: `Unsupported value: ${JSON.stringify(ref['kind'] ?? '')}: tokens are bound to "Secret" only`,
      field: 'spec.boundObjectRef.kind',
    })
  const bound = String(ref['name'] ?? '')
  const uid = uidOf('secrets', namespace, bound)
  if (uid === undefined) throw new ApiError('NotFound', `secrets "${bound}" not found`, { name: bound, kind: 'secrets' })
  if (ref['uid'] !== undefined && ref['uid'] !== '' && ref['uid'] !== uid)
    throw new ApiError('Conflict', `Cannot bind the token to secret "${bound}": its uid is ${uid}, not ${String(ref['uid'])}`, {
      name: bound,
      kind: 'secrets',
    })
  return { name: bound, uid }
}

const invalid = (name: string, cause: Cause): ApiError =>
  new ApiError('Invalid', `TokenRequest.authentication.k8s.io "${name}" is invalid: ${cause.field}: ${cause.message}`, {
    name,
    group: 'authentication.k8s.io',
    kind: 'TokenRequest',
    causes: [cause],
  })
