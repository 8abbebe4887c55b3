import { Fault } from '../../core/fault.ts'
import { field, part, type Resource, text } from './read.ts'

/** What a path may be made of: no spaces, controls, quotes, backslashes; percent-encoded dots and slashes are refused below. */
const plain = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@%/]*$/
const query = /^\?[A-Za-z0-9\-._~!$&'()*+,;=:@%/?]*$/

/** Registries and upload doors are the only things that real services keep outside /redfish (seen on Supermicro, HPE and Lenovo). */
const elsewhere = /^\/(registries\/[\w.-]+|cgi-bin\/uploadFile|m?fwupdate)$/

/**
 * The path that a service's own link names, safe to ask for: on the same host, below /redfish, without steps upwards.
 * A fragment is cut off: it points into the resource.
 */
export function safePath(link: unknown): string | undefined {
  if (typeof link !== 'string' || link.length > 2_048) return undefined
  const whole = link.split('#', 1)[0] ?? ''
  const at = whole.indexOf('?')
  const path = at < 0 ? whole : whole.slice(0, at)
  if (at >= 0 && !query.test(whole.slice(at))) return undefined
  if (!plain.test(path) || path.startsWith('//') || /%(2e|2f|5c|00)/i.test(path)) return undefined
  if (path.split('/').some(step => step === '..' || step === '.')) return undefined
  if (path !== '/redfish' && !path.startsWith('/redfish/') && !elsewhere.test(path)) return undefined
  return whole
}

/** Follows `{"@odata.id": …}` under a name; undefined where there is none, a fault where it leads astray. */
export function linkTo(from: unknown, ...path: readonly string[]): string | undefined {
  return idOf(part(from, ...path))
}

export function idOf(resource: unknown): string | undefined {
  const id = field(resource, '@odata.id')
  if (id === undefined || id === null || id === '') return undefined
  return followable(id)
}

export function followable(link: unknown): string {
  const path = safePath(link)
  if (path === undefined) throw strayLink(link)
  return path
}

/** Location headers name the BMC by whatever name it knows itself: only the path is taken, asked of the host that we know. */
export function pathOfLocation(location: string | undefined): string | undefined {
  if (location === undefined) return undefined
  return safePath(location.replace(/^https?:\/\/[^/?#]*/i, ''))
}

/** Services spell their own paths differently from link to link (case on HPE, a slash at the end on many). */
export const samePath = (a: string, b: string): boolean => bare(a) === bare(b)

export const isBelow = (path: string, parent: string): boolean => bare(path).startsWith(`${bare(parent)}/`)

const bare = (path: string): string => (path.split('?', 1)[0] ?? '').replace(/\/+$/, '').toLowerCase()

/** Where an action of a resource is asked for. Its target must be the resource's own: a link to a neighbour's would reset the wrong machine. */
export function actionTarget(resource: Resource, name: string): string | undefined {
  const action = part(resource, 'Actions', name)
  const target = text(action, 'target')
  if (target === undefined) return undefined
  const owner = idOf(resource)
  const path = followable(target)
  if (owner !== undefined && !isBelow(path, owner)) throw strayLink(target)
  return path
}

const strayLink = (link: unknown): Fault =>
  new Fault(
    'bmc/stray-link',
    `Cannot follow a link of the BMC: ${printable(link)} leads away from the resource that names it`,
    'when-changed',
    {
      hint: 'A healthy BMC links only below /redfish on itself: update or check its firmware.',
    },
  )

const printable = (link: unknown): string =>
  JSON.stringify(link)
    ?.replace(/[^\x20-\x7e]/g, '?')
    .slice(0, 120) ?? 'nothing'
