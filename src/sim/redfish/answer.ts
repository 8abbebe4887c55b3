import type { HttpResponse } from '../../ports/index.ts'
import type { SimBmc } from './bmc.ts'
import type { Outcome } from './node.ts'

/** An outcome with the headers that Redfish asks for. */
export function answerOf(bmc: SimBmc, outcome: Outcome, method: string, allow?: string): HttpResponse {
  const { status, body } = outcome
  const type = body && typeof body['@odata.type'] === 'string' ? body['@odata.type'].split('.')[0]!.slice(1) : undefined
  return {
    status,
    headers: {
      'odata-version': '4.0',
      'cache-control': 'no-cache',
      server: bmc.make.personality.managerModel,
      ...(body ? { 'content-type': 'application/json; charset=utf-8' } : {}),
      ...(allow ? { allow } : {}),
      ...(type ? { link: `<http://redfish.dmtf.org/schemas/v1/${type}.json>; rel=describedby` } : {}),
      ...outcome.headers,
    },
    body: body && method !== 'HEAD' ? Buffer.from(JSON.stringify(body)) : new Uint8Array(),
  }
}
