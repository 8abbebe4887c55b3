import { isObject } from '../../core/json.ts'
import { reach, text } from './reach.ts'

/** Stream metadata: which images a release has, per architecture. Everything in it is foreign, so nothing is taken for granted. */
export interface Stream {
  readonly name: string
  readonly architectures: Readonly<Record<string, unknown>>
  /** Every image that it names by an id of its own: ids say nothing by themselves about where they came from. */
  readonly named: readonly string[]
}

export type ReadStream = ({ readonly stream: Stream } | { readonly because: string }) & {
  /** A short name of the text that was read: another content has another. */
  readonly content: string
}

/** Reads the text that stands in the golden ConfigMap. */
export const readStream = (given: string | undefined): ReadStream => ({ ...parsed(given), content: contentOf(given ?? '') })

function contentOf(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return `${hash.toString(16)}-${text.length}`
}

function parsed(given: string | undefined): { readonly stream: Stream } | { readonly because: string } {
  if (given === undefined) return { because: 'key "stream" is missing' }
  let read: unknown
  try {
    read = JSON.parse(given)
  } catch {
    return { because: 'key "stream" is not JSON' }
  }
  const architectures = reach(read, 'architectures')
  if (!isObject(architectures) || Object.keys(architectures).length === 0) return { because: 'key "stream" lists no architectures' }
  return { stream: { name: text(reach(read, 'stream')) ?? 'unnamed', architectures, named: namedImages(architectures) } }
}

/** The same for many askers: a stream is large, and the same for thousands of machine resources. */
export function rememberingReader(): typeof readStream {
  let last: { readonly given: string | undefined; readonly read: ReadStream } | undefined
  return given => {
    if (last?.given !== given || last === undefined) last = { given, read: readStream(given) }
    return last.read
  }
}

/** What a stream has for one architecture. */
export interface Images {
  /** `<stream>/<architecture>`, for messages. */
  readonly from: string
  readonly value: unknown
}

export function imagesFor(stream: Stream, architecture: string): Images | undefined {
  const value = Object.hasOwn(stream.architectures, architecture) ? stream.architectures[architecture] : undefined
  return isObject(value) ? { from: `${stream.name}/${architecture}`, value } : undefined
}

function namedImages(architectures: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(architectures).flatMap(value => {
    const clouds = ['aws', 'aliyun'].flatMap(cloud => {
      const regions = reach(value, 'images', cloud, 'regions')
      return isObject(regions) ? Object.values(regions).flatMap(region => text(reach(region, 'image')) ?? []) : []
    })
    const metal = reach(value, 'artifacts', 'metal', 'formats', 'raw.gz', 'disk')
    const url = text(reach(metal, 'location'))
    return url === undefined ? clouds : [...clouds, `${url}#${text(reach(metal, 'sha256')) ?? ''}`]
  })
}
