import { ApiError } from '../../api/status.ts'

/** Options of a list or watch that cannot go together are refused before anything is read, for the reasons Kubernetes gives. */
export function checkListOptions(query: URLSearchParams, watches: boolean): void {
  const wrong = contradiction(query, watches)
  if (wrong) {
    const [field, message] = wrong
    throw new ApiError('Invalid', `ListOptions.meta.k8s.io "" is invalid: ${field}: ${message}`, {
      group: 'meta.k8s.io',
      kind: 'ListOptions',
      causes: [{ reason: 'FieldValueForbidden', message, field }],
    })
  }
  wholeNumber(query, 'limit')
  wholeNumber(query, 'timeoutSeconds')
}

function contradiction(query: URLSearchParams, watches: boolean): readonly [field: string, message: string] | undefined {
  const match = query.get('resourceVersionMatch') ?? ''
  const revision = query.get('resourceVersion') ?? ''
  if (query.get('sendInitialEvents') !== null) {
    if (!watches) return ['sendInitialEvents', 'Forbidden: sendInitialEvents is forbidden for list']
    return match === 'NotOlderThan'
      ? undefined
      : ['resourceVersionMatch', 'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan']
  }
  if (match === '') return undefined
  const forbidden = (because: string) => ['resourceVersionMatch', `Forbidden: resourceVersionMatch ${because}`] as const
  if (watches) return forbidden('is forbidden for watch unless sendInitialEvents is provided')
  if (revision === '') return forbidden('is forbidden unless resourceVersion is provided')
  if (query.get('continue')) return forbidden('is forbidden when continue is provided')
  if (match !== 'Exact' && match !== 'NotOlderThan')
    return ['resourceVersionMatch', `Unsupported value: "${match}": supported values: "Exact", "NotOlderThan"`]
  return match === 'Exact' && revision === '0' ? forbidden('"exact" is forbidden for resourceVersion "0"') : undefined
}

function wholeNumber(query: URLSearchParams, name: string): void {
  const text = query.get(name)
  if (text !== null && text !== '' && !/^\d{1,12}$/.test(text))
    throw new ApiError('BadRequest', `Cannot read ${name}: "${text}" is not a whole number`)
}
