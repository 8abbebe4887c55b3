import { isObject } from '../../core/json.ts'
import type { HttpRequest, HttpResponse } from '../../ports/index.ts'
import { inventoryOf, macsIn } from './inventory.ts'
import type { DeskContext } from './place.ts'
import { bodyOf, json, refusal, unknown } from './replies.ts'

/** What an agent found on its machine. It has no token yet at this moment: its hardware addresses say whose it is. */
export function continueInspection(context: DeskContext, request: HttpRequest, address: string): HttpResponse {
  const body = bodyOf(request)
  const found = body && isObject(body['inventory']) ? body['inventory'] : undefined
  if (!found) return refusal(400, 'There is no inventory in this.')
  const place = context.byMacs(macsIn(found))
  if (!place || (place.address !== undefined && place.address !== address)) return unknown
  place.address = address
  place.inventory = inventoryOf(found)
  return json(202, { uuid: place.expected.uid })
}
