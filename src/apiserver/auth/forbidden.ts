import { ApiError } from '../../api/status.ts'
import type { Attributes, User } from '../../ports/index.ts'

/** The refusal of a request that no rule allows, in the words that clients of Kubernetes know. */
export function forbidden(user: User, asked: Attributes, because = ''): ApiError {
  const tail = because === '' ? '' : `: ${because}`
  if ('path' in asked)
    return new ApiError('Forbidden', `forbidden: User "${user.name}" cannot ${asked.verb} path "${asked.path}"${tail}`, {})
  const { group, resource, subresource, namespace, name, verb } = asked
  const full = subresource ? `${resource}/${subresource}` : resource
  const head = `${group === '' ? resource : `${resource}.${group}`}${name ? ` "${name}"` : ''}`
  const where = namespace ? `in the namespace "${namespace}"` : 'at the cluster scope'
  return new ApiError(
    'Forbidden',
    `${head} is forbidden: User "${user.name}" cannot ${verb} resource "${full}" in API group "${group}" ${where}${tail}`,
    { ...(name ? { name } : {}), ...(group === '' ? {} : { group }), kind: resource },
  )
}
