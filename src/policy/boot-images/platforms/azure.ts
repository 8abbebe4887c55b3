import { isObject } from '../../../core/json.ts'
import { put, reach, text } from '../reach.ts'
import { type MachineSpec, type Platform, type Skip, skip } from './platform.ts'

const lines: Readonly<Record<string, string>> = { 'rh-ocp-worker': 'ocp', 'rh-opp-worker': 'opp', 'rh-oke-worker': 'oke' }

/** Images are offers of a marketplace: each stays inside its own line of products; uploads of old installers move to the free one. */
export const azure: Platform = {
  type: 'Azure',
  templates: ['AzureMachineTemplate'],
  read(spec, { architecture }) {
    if (architecture === 'ppc64le' || architecture === 's390x') return skip('NoImageInStream', `Azure has no machines of ${architecture}`)
    const security = text(reach(spec, 'securityProfile', 'settings', 'securityType'))
    if (security !== undefined) return skip('SecurityType', `machines of security type ${security} need an image of their own`)
    const offer = offerOf(spec)
    return isObject(offer) ? describe(offer) : skip('NoBootImage', 'it names no boot image')
  },
  classify(image, spec) {
    const line = lineOf(spec)
    return typeof line === 'string' ? 'stream' : { ...line, because: `${line.because}: ${image}` }
  },
  target(spec, { from, value }, { architecture }) {
    const line = lineOf(spec)
    if (typeof line !== 'string') return line
    const generation = generationOf(spec, architecture)
    const offer = reach(value, 'rhel-coreos-extensions', 'marketplace', 'azure', line, generation)
    const [publisher, name, sku, version] = ['publisher', 'offer', 'sku', 'version'].map(key => text(reach(offer, key)))
    if (publisher === undefined || name === undefined || sku === undefined || version === undefined)
      return skip('NoImageInStream', `${from}: no Azure marketplace image of ${line} for ${generation}`)
    return { image: [publisher, name, sku, version].join(':'), release: version }
  },
  write(spec, { image }, { api }) {
    const [publisher = '', offer = '', sku = '', version = ''] = image.split(':')
    const marketplace = { publisher, offer, sku, version }
    if (api === 'capi') return put(spec, ['image'], { marketplace })
    const type = lineOf(spec) === 'no-purchase-plan' ? 'MarketplaceNoPlan' : 'MarketplaceWithPlan'
    return put(spec, ['image'], { ...marketplace, resourceID: '', type })
  },
}

const offerOf = (spec: MachineSpec): unknown => reach(spec, 'image', 'marketplace') ?? reach(spec, 'image')

const describe = (offer: Record<string, unknown>): string =>
  text(offer['resourceID']) ?? ['publisher', 'offer', 'sku', 'version'].map(key => text(offer[key]) ?? '').join(':')

function lineOf(spec: MachineSpec): string | Skip {
  const offer = offerOf(spec)
  if (text(reach(offer, 'resourceID')) !== undefined) return 'no-purchase-plan'
  const publisher = text(reach(offer, 'publisher'))
  if (publisher === 'azureopenshift') return 'no-purchase-plan'
  const name = text(reach(offer, 'offer')) ?? ''
  const line = Object.hasOwn(lines, name) ? lines[name] : undefined
  if (line !== undefined && publisher === 'redhat') return line
  if (line !== undefined && publisher === 'redhat-limited') return `${line}-emea`
  return skip('CustomImage', 'the image is not one of the known marketplace offers')
}

function generationOf(spec: MachineSpec, architecture: string): 'hyperVGen1' | 'hyperVGen2' {
  if (architecture === 'aarch64') return 'hyperVGen2'
  const offer = offerOf(spec)
  const upload = text(reach(offer, 'resourceID'))
  if (upload !== undefined) return upload.includes('gen2') ? 'hyperVGen2' : 'hyperVGen1'
  const sku = text(reach(offer, 'sku')) ?? ''
  const second = text(reach(offer, 'publisher')) === 'azureopenshift' ? sku.includes('v2') : !sku.includes('gen1')
  return second ? 'hyperVGen2' : 'hyperVGen1'
}
