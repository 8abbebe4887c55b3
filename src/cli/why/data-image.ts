import type { BareMetalHost, DataImage } from '../../controllers/metal3/resources.ts'
import { type Chain, end, type Link, link } from './chain.ts'
import { conditionIn } from './remedies.ts'

/** What stands between a host and its disc; undefined where it has none, or it is as it is wanted. */
export function whyDisc(host: BareMetalHost, image: DataImage | undefined): Chain | undefined {
  if (!image) return undefined
  const { name, namespace = 'default' } = image.metadata
  const of = `-n ${namespace}`
  const attached = conditionIn(image.status, 'Attached')
  const found = discLink(image)
  const isOut = image.metadata.deletionTimestamp === undefined && image.status?.attachedImage?.url !== image.spec?.url
  const goes = image.metadata.deletionTimestamp !== undefined
  if (!isOut && !goes) return undefined
  const refused = conditionIn(image.status, 'Accepted')
  if (refused?.status === 'False' && !goes)
    return end(found, 'you: another address, another host, or none', `rackwright media eject ${name} ${of}`)
  if (attached?.reason === 'WaitsForRestart')
    return end(found, 'you, or whoever restarts it next', `rackwright power ${name} ${host.status?.poweredOn ? 'cycle' : 'on'} ${of}`)
  return end(found, 'nobody: it goes on by itself', `kubectl ${of} describe dataimage ${name}`)
}

/** Its disc in one line: what became of it, and why it failed where it did. */
export function discLink({ metadata, spec, status }: DataImage): Link {
  const { name, namespace = 'default' } = metadata
  const said = conditionIn(status, 'Attached')
  const error = status?.error?.message
  const failed = error ? ` (failed ${status?.error?.count ?? 0} times: ${error})` : ''
  const url = metadata.deletionTimestamp === undefined ? spec?.url : (status?.attachedImage?.url ?? spec?.url)
  const words = said?.message ? said.message : 'nothing was decided about it yet'
  return link(`DataImage ${namespace}/${name}`, `${url}: ${words}${words === error ? '' : failed}`, said?.lastTransitionTime)
}
