import { isObject } from '../../../core/json.ts'
import type { BareMetalHost } from '../resources.ts'
import type { HardwareDetails } from './seen.ts'

export const pausedAnnotation = 'baremetalhost.metal3.io/paused'
export const detachedAnnotation = 'baremetalhost.metal3.io/detached'
export const statusAnnotation = 'baremetalhost.metal3.io/status'
export const inspectAnnotation = 'inspect.metal3.io'
export const detailsAnnotation = 'inspect.metal3.io/hardwaredetails'

/** Present with any value; as JSON it may say what a deletion does, and whether work under way is broken off. */
export function detachedOf(value: string | undefined): { readonly delaysDeletion: boolean; readonly force: boolean } | undefined {
  if (value === undefined) return undefined
  const read = json(value)
  return { delaysDeletion: read['deleteAction'] === 'delay', force: read['force'] === true }
}

/** The status that a host had elsewhere. */
export function carriedOf(value: string | undefined): BareMetalHost['status'] | undefined {
  const read = value === undefined ? {} : json(value)
  return Object.keys(read).length > 0 ? (read as unknown as BareMetalHost['status']) : undefined
}

/** What somebody tells of a host in place of an inspection. */
export function detailsOf(value: string | undefined): HardwareDetails | undefined {
  const read = value === undefined ? {} : json(value)
  return Object.keys(read).length > 0 ? (read as HardwareDetails) : undefined
}

function json(value: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(value)
    return isObject(read) ? read : {}
  } catch {
    return {}
  }
}
