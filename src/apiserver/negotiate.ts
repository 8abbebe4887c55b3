import { ApiError } from '../api/status.ts'

/** How the client wants objects shown. Answers are always JSON; Table and metadata-only are projections of it. */
export type Shape = 'object' | 'table' | 'metadata'

/** Picks the first acceptable offer. Clients that would rather have protobuf name JSON as well; one that names only protobuf gets 406. */
export function negotiate(accept: string | undefined): Shape {
  if (accept === undefined || accept === '') return 'object'
  for (const offer of accept.split(',')) {
    const [type = '', ...parameters] = offer.split(';').map(part => part.trim())
    if (type !== 'application/json' && type !== '*/*' && type !== 'application/*') continue
    const as = parameters.find(p => p.startsWith('as='))?.slice(3)
    const version = parameters.find(p => p.startsWith('v='))?.slice(2)
    if (as === undefined) return 'object'
    if (version !== 'v1') continue
    if (as === 'Table') return 'table'
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return 'metadata'
  }
  throw new ApiError('NotAcceptable', `Cannot answer in any of "${accept}": this server speaks application/json`)
}
