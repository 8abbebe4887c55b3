import { ApiError } from '../../api/status.ts'

/** Where a paged list goes on: the revision all its pages show, and the last key already shown. */
export interface Place {
  readonly revision: number
  readonly after: string
}

export const continueToken = (place: Place): string =>
  Buffer.from(JSON.stringify({ v: 'rackwright/1', rv: place.revision, after: place.after })).toString('base64url')

export function readContinue(token: string): Place {
  try {
    const { v, rv, after } = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Record<string, unknown>
    if (v === 'rackwright/1' && Number.isSafeInteger(rv) && (rv as number) > 0 && typeof after === 'string')
      return { revision: rv as number, after }
  } catch {
    // falls through to the refusal below: a token is either ours and whole, or worthless
  }
  throw new ApiError('BadRequest', 'continue key is not valid: it was not made by this server, or was cut')
}
