import { isObject } from '../../../core/json.ts'
import { put, reach, text } from '../reach.ts'
import { type Platform, skip } from './platform.ts'

/** Hosts are installed from a disk image by its URL and checksum; those that install themselves take their image from the release anyway. */
export const baremetal: Platform = {
  type: 'BareMetal',
  templates: ['Metal3MachineTemplate'],
  read(spec) {
    if (text(reach(spec, 'customDeploy', 'method')) !== undefined)
      return skip('FromRelease', 'hosts are installed by customDeploy, which takes the image of the running release')
    const url = text(reach(spec, 'image', 'url'))
    return url === undefined ? skip('NoBootImage', 'it names no boot image') : `${url}#${text(reach(spec, 'image', 'checksum')) ?? ''}`
  },
  classify: (image, _, { named }) =>
    named.has(image) ? 'stream' : skip('UnknownImage', `nobody knows where image ${image} came from: no stream of this cluster named it`),
  target(_, { from, value }) {
    const disk = reach(value, 'artifacts', 'metal', 'formats', 'raw.gz', 'disk')
    const [url, sum] = [text(reach(disk, 'location')), text(reach(disk, 'sha256'))]
    if (url === undefined || sum === undefined) return skip('NoImageInStream', `${from}: no raw metal image`)
    return { image: `${url}#${sum}`, release: text(reach(value, 'artifacts', 'metal', 'release')) ?? url }
  },
  write(spec, { image }) {
    const hash = image.lastIndexOf('#')
    const before = reach(spec, 'image')
    return put(spec, ['image'], { ...(isObject(before) ? before : {}), url: image.slice(0, hash), checksum: image.slice(hash + 1) })
  },
}
