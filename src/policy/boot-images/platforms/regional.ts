import { put, reach, text } from '../reach.ts'
import { type Platform, skip } from './platform.ts'

export interface Regional {
  readonly type: string
  readonly templates: readonly string[]
  /** Where the id of the image stands; `holder`, where given, is replaced as a whole, since only one way to name an image is allowed. */
  readonly image: { readonly mapi: readonly string[]; readonly capi: readonly string[] }
  readonly holder?: string
  readonly region: readonly (readonly string[])[]
  /** Its name in the stream. */
  readonly stream: string
  readonly cloud: string
}

/** Clouds whose images have an id per region. An id says nothing about where it came from, so only those that a stream named are replaced. */
export const regional = ({ type, templates, image, holder, region, stream, cloud }: Regional): Platform => ({
  type,
  templates,
  read: (spec, { api }) => text(reach(spec, ...image[api])) ?? skip('NoBootImage', 'it names its boot image by something else than an id'),
  classify: (id, _, { named }) =>
    named.has(id) ? 'stream' : skip('UnknownImage', `nobody knows where image ${id} came from: no stream of this cluster named it`),
  target(spec, { from, value }) {
    const where = region.map(path => text(reach(spec, ...path))).find(found => found !== undefined)
    if (where === undefined) return skip('NoRegion', 'it does not say in which region it is')
    const found = reach(value, 'images', stream, 'regions', where)
    const id = text(reach(found, 'image'))
    if (id === undefined) return skip('NoImageInStream', `${from}: no ${cloud} image in region ${where}`)
    return { image: id, release: text(reach(found, 'release')) ?? id }
  },
  write: (spec, target, { api }) =>
    holder === undefined ? put(spec, image[api], target.image) : { ...spec, [holder]: put({}, image[api].slice(1), target.image) },
})
