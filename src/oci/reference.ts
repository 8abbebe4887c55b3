import { Fault } from '../core/fault.ts'

/** An image reference, taken apart and completed. */
export interface Reference {
  readonly registry: string
  readonly repository: string
  readonly tag?: string
  readonly digest?: string
}

const host = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/i
const part = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/
const tagged = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/
const sha256 = /^sha256:[0-9a-f]{64}$/
const longest = 255

/** Reads `registry/repository:tag@digest`. Without a registry it is Docker Hub's, without tag and digest it is `latest`. No scheme is allowed: an image is never a file or a URL. */
export function parseReference(text: string): Reference {
  const wrong = (found: string): Fault =>
    new Fault('image/bad-reference', `Cannot read the image reference "${text.slice(0, longest)}": ${found}`, 'when-changed')
  if (text.length > longest) throw wrong(`it is longer than ${longest} characters`)
  const [named = '', digest, more] = text.split('@')
  if (more !== undefined) throw wrong('it has more than one digest')
  if (digest !== undefined && !sha256.test(digest)) throw wrong('its digest is not sha256 and 64 hexadecimal digits')
  const colon = named.lastIndexOf(':')
  const hasTag = colon > named.lastIndexOf('/')
  const tag = hasTag ? named.slice(colon + 1) : undefined
  if (tag !== undefined && !tagged.test(tag)) throw wrong(`"${tag}" is no tag`)
  const { registry, repository } = located(hasTag ? named.slice(0, colon) : named)
  if (!host.test(registry)) throw wrong(`"${registry}" is no registry`)
  if (repository === '' || !repository.split('/').every(piece => part.test(piece))) throw wrong(`"${repository}" is no repository`)
  return {
    registry: registry.toLowerCase(),
    repository,
    ...(tag === undefined ? (digest === undefined ? { tag: 'latest' } : {}) : { tag }),
    ...(digest === undefined ? {} : { digest }),
  }
}

/** The first part is a registry only if it looks like a host: with a dot, a port, or called localhost. */
function located(name: string): { readonly registry: string; readonly repository: string } {
  const slash = name.indexOf('/')
  const first = slash < 0 ? '' : name.slice(0, slash)
  if (first === 'localhost' || /[.:]/.test(first)) return { registry: first, repository: name.slice(slash + 1) }
  return { registry: 'docker.io', repository: slash < 0 ? `library/${name}` : name }
}

export const printReference = ({ registry, repository, tag, digest }: Reference): string =>
  `${registry}/${repository}${tag === undefined ? '' : `:${tag}`}${digest === undefined ? '' : `@${digest}`}`
