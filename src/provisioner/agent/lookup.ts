import type { HttpRequest, HttpResponse } from '../../ports/index.ts'
import { type DeskContext, heartbeatTimeout } from './place.ts'
import { json, unknown } from './replies.ts'

/** An agent asks who it is, by the hardware addresses of its machine. It gets its token with the answer, the same each time. */
export function lookup(context: DeskContext, { url }: HttpRequest, address: string): HttpResponse {
  const asked = new URLSearchParams(url.split('?')[1] ?? '')
  const macs = (asked.get('addresses') ?? '').toLowerCase().split(',').filter(Boolean)
  const place = context.byMacs(macs)
  const uuid = asked.get('node_uuid')
  if (!place || (uuid !== null && uuid !== '' && uuid !== place.expected.uid)) return unknown
  if (place.address !== undefined && place.address !== address) {
    context.log.warn('A second agent calls for the same host, from another address: it is not answered', { address })
    return unknown
  }
  place.address = address
  const { node, takesMd5 } = place.expected
  return json(200, {
    node,
    config: {
      heartbeat_timeout: heartbeatTimeout / 1_000,
      agent_token: place.token,
      agent_token_required: true,
      agent_md5_checksum_enable: takesMd5,
      permitted_image_formats: ['raw', 'qcow2', 'vdi', 'vmdk'],
      disable_deep_image_inspection: false,
      tls_min_version: '1.2',
      metrics: {},
      metrics_statsd: {},
    },
  })
}
