import { isObject } from '../../core/json.ts'
import { reach, text } from './reach.ts'

/** Stream metadata: which images a release has, per architecture. Everything in it is foreign, so nothing is taken for granted. */
export interface Stream {
  readonly name: string
  readonly architectures: Readonly<Record<string, unknown>>
}

export type ReadStream = { readonly stream: Stream } | { readonly because: string }

/** Reads the text that stands in the golden ConfigMap. */
export function readStream(given: string | undefined): ReadStream {
  if (given === undefined) return { because: 'key "stream" is missing' }
  let parsed: unknown
  try {
    parsed = JSON.parse(given)
  } catch {
    return { because: 'key "stream" is not JSON' }
  }
  const architectures = reach(parsed, 'architectures')
  if (!isObject(architectures) || Object.keys(architectures).length === 0) return { because: 'key "stream" lists no architectures' }
  return { stream: { name: text(reach(parsed, 'stream')) ?? 'unnamed', architectures } }
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
