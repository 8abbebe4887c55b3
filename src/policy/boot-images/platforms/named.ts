import { put, reach, text } from '../reach.ts'
import { type Platform, type Skip, skip, type Target } from './platform.ts'

export interface Named {
  readonly type: string
  readonly templates: readonly string[]
  readonly image: { readonly mapi: readonly string[]; readonly capi: readonly string[] }
  /** The release of the stream that images here are made from. */
  readonly release: readonly string[]
  /** Which cloud images are called so by the installer: everything before the release. */
  readonly cloud: string
}

/**
 * Platforms to which somebody uploads images under names of their own. A name that ends in a release of a stream is followed to the next
 * release, as `<prefix>-<release>`; any other name is somebody's own.
 */
export const namedByRelease = ({ type, templates, image, release, cloud }: Named): Platform => ({
  type,
  templates,
  read: (spec, { api }) => text(reach(spec, ...image[api])) ?? skip('NoBootImage', 'it names no boot image'),
  classify: name => (ending.test(name) ? 'stream' : custom(name)),
  target(spec, { from, value }, { api }): Target | Skip {
    const found = text(reach(value, ...release))
    if (found === undefined) return skip('NoImageInStream', `${from}: no ${cloud} image`)
    const now = text(reach(spec, ...image[api])) ?? ''
    if (!ending.test(now)) return custom(now)
    return { image: now.replace(ending, `-${found}`), release: found }
  },
  write: (spec, target, { api }) => put(spec, image[api], target.image),
})

const ending = /-\d+\.\d+\.(?:\d{8}|\d{12})-\d+$/

const custom = (name: string): Skip =>
  skip('CustomImage', `image ${name} is not named after a release (<name>-<release>): it is somebody's own`)
