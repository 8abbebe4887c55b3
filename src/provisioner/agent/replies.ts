import { isObject } from '../../core/json.ts'
import type { HttpRequest, HttpResponse } from '../../ports/index.ts'

export const json = (status: number, body: unknown): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store', 'x-openstack-ironic-api-version': '1.68' },
  body: Buffer.from(JSON.stringify(body)),
})

/** As Ironic says no: agents print the sentence. */
export const refusal = (status: number, because: string): HttpResponse =>
  json(status, { error_message: { faultcode: status >= 500 ? 'Server' : 'Client', faultstring: because } })

/** One answer for everybody who is not expected: it tells nobody which hosts there are. */
export const unknown = refusal(404, 'No host is waiting for this agent.')

export function bodyOf({ body }: HttpRequest): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(body ?? []).toString('utf8'))
    return isObject(read) ? read : undefined
  } catch {
    return undefined
  }
}
