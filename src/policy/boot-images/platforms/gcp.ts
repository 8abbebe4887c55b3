import { put, reach, text } from '../reach.ts'
import { type Platform, skip } from './platform.ts'

const project = 'projects/rhcos-cloud/global/images/'

/** Only boot disks count; images outside the project of the streams are somebody's own. */
export const gcp: Platform = {
  type: 'GCP',
  templates: ['GCPMachineTemplate'],
  read(spec, { api }) {
    const images = api === 'capi' ? [text(reach(spec, 'image'))] : bootDisks(spec).map(disk => text(reach(disk, 'image')))
    const [first] = images
    if (first === undefined) return skip('NoBootImage', 'it names no boot image')
    return images.find(image => image !== first && image !== undefined) ?? first
  },
  classify: image =>
    image.startsWith(project) || image.startsWith(`https://www.googleapis.com/compute/v1/${project}`)
      ? 'stream'
      : skip('CustomImage', `image ${image} is not one of the streams' (project rhcos-cloud)`),
  target(_, { from, value }) {
    const [name, owner] = [text(reach(value, 'images', 'gcp', 'name')), text(reach(value, 'images', 'gcp', 'project'))]
    if (name === undefined || owner === undefined) return skip('NoImageInStream', `${from}: no GCP image`)
    return { image: `projects/${owner}/global/images/${name}`, release: text(reach(value, 'images', 'gcp', 'release')) ?? name }
  },
  write(spec, { image }, { api }) {
    if (api === 'capi') return put(spec, ['image'], image)
    const disks = spec['disks']
    return {
      ...spec,
      disks: Array.isArray(disks)
        ? disks.map((disk: unknown) => (reach(disk, 'boot') === true ? put(disk, ['image'], image) : disk))
        : disks,
    }
  },
}

const bootDisks = (spec: unknown): readonly unknown[] => {
  const disks = reach(spec, 'disks')
  return Array.isArray(disks) ? disks.filter(disk => reach(disk, 'boot') === true) : []
}
