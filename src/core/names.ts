// The shapes of names that Kubernetes checks everywhere. Each function says what is wrong, or undefined where nothing is.
// Lengths are checked first, so that the expressions only ever see short text.

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const label1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const qualified = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const labelText = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/

export type NameRule = (text: string) => string | undefined

const tooLong = (max: number) => `must be no more than ${max} bytes`

export const dnsLabel: NameRule = text => {
  if (text.length > 63) return tooLong(63)
  if (label.test(text)) return undefined
  return `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`
}

export const dns1035Label: NameRule = text => {
  if (text.length > 63) return tooLong(63)
  if (label1035.test(text)) return undefined
  return `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`
}

export const dnsSubdomain: NameRule = text => {
  if (text.length > 253) return tooLong(253)
  if (subdomain.test(text)) return undefined
  return `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
}

/** RBAC kinds may carry any name that is one path segment (`system:node`). */
export const pathSegment: NameRule = text => {
  if (text === '.' || text === '..') return `may not be '${text}'`
  if (text.includes('/')) return `may not contain '/'`
  if (text.includes('%')) return `may not contain '%'`
  return undefined
}

/** Keys of labels and annotations, finalizers: a name of at most 63 characters, optionally after `prefix/`. */
export const qualifiedName: NameRule = text => {
  const slash = text.indexOf('/')
  if (slash !== -1 && text.indexOf('/', slash + 1) !== -1) {
    return `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`
  }
  const name = slash === -1 ? text : text.slice(slash + 1)
  if (slash === 0) return 'prefix part must be non-empty'
  if (slash > 0) {
    const wrong = dnsSubdomain(text.slice(0, slash))
    if (wrong) return `prefix part ${wrong}`
  }
  if (name.length === 0) return 'name part must be non-empty'
  if (name.length > 63) return `name part ${tooLong(63)}`
  if (qualified.test(name)) return undefined
  return `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`
}

export const labelValue: NameRule = text => {
  if (text.length > 63) return tooLong(63)
  if (labelText.test(text)) return undefined
  return `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`
}
