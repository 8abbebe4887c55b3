import type { HttpRequest, HttpResponse } from '../../ports/index.ts'
import type { DeskContext } from './place.ts'
import { bodyOf, json, refusal, unknown } from './replies.ts'
import { isToken } from './token.ts'

/** An agent says that it is there, and where it can be called. */
export function heartbeat({ places, clock, log }: DeskContext, request: HttpRequest, address: string, uid = ''): HttpResponse {
  const place = places.get(uid)
  const body = bodyOf(request)
  if (!place || !body) return unknown
  if (!isToken(body['agent_token'], place.token)) {
    log.warn('An agent calls with a token that is not of this try', { address })
    return refusal(401, 'The agent token is not the one of this try.')
  }
  const { callback_url: url, agent_verify_ca: ca } = body
  const at = typeof url === 'string' ? hostOf(url) : undefined
  if (typeof url !== 'string' || at === undefined) return refusal(400, 'callback_url is no https address.')
  // A machine with two networks may call from one and listen on the other; its token says that it is the same.
  if (at !== address && !place.expected.addresses?.some(known => plain(known) === at))
    return refusal(400, 'callback_url must be where the agent calls from, or an address that its machine was found to have.')
  if (typeof ca !== 'string' || !ca.includes('BEGIN CERTIFICATE'))
    return refusal(400, 'agent_verify_ca is missing: the agent must speak TLS.')
  if (place.called && (place.called.url !== url || place.called.ca !== ca))
    return refusal(400, 'callback_url and agent_verify_ca stay what they were in the first heartbeat.')
  if (place.called) place.called.at = clock.elapsed()
  else place.called = { url, ca, at: clock.elapsed() }
  return json(202, {})
}

/** As the address of a URL is written. */
const plain = (address: string): string | undefined => hostOf(`https://${address.includes(':') ? `[${address}]` : address}`)

function hostOf(url: string): string | undefined {
  try {
    const { protocol, hostname } = new URL(url)
    return protocol === 'https:' ? hostname.replace(/^\[|\]$/g, '').toLowerCase() : undefined
  } catch {
    return undefined
  }
}
