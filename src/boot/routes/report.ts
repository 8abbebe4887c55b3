import { printInstant } from '../../core/instant.ts'
import { isObject, sameJson } from '../../core/json.ts'
import { decodeJson } from '../../net/body/json.ts'
import { sameUuid } from '../../policy/identity.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { type Access, type Asked, byReport, refuse } from '../access.ts'
import { away, plain, refused, wrongMethod } from '../answers.ts'
import type { BootContext, Call } from '../context.ts'
import { withRegistration, withReport } from '../facts.ts'
import type { Facts } from '../kinds.ts'
import { readRegistration } from '../registration.ts'

const largest = 1 << 20
const stateShape = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/

/** How the caller came in: by a ticket in the address, or by what the body says of itself. */
export type Entrance = (systemUUID: string) => Promise<Asked>
export const byBody =
  (context: BootContext, { address }: Call): Entrance =>
  systemUUID =>
    byReport(context, systemUUID, address)

/** What the discovery probe found: `{systemUUID, data}`, as upstream's probe posts it. */
export const register = (context: BootContext, call: Call, entrance: Entrance): Promise<HttpResponse> =>
  posted(context, call, entrance, async (access, body) => {
    const time = printInstant(context.clock.now())
    const registration = readRegistration(String(body['systemUUID']), body['data'], time)
    if (!registration) return plain(400, 'Cannot register: there is no data.')
    const { registration: before } = access.facts
    // Probes tell the same every half minute; only news is worth a write.
    if (before && sameJson({ ...before, time }, registration)) return plain(201, 'Registered.')
    return kept(context, access, facts => withRegistration(facts, registration), 'Registered.')
  })

/** What the booted system says about itself: `{systemUUID, booted}` as upstream's agent posts it, or `{systemUUID, state}`. */
export const bootState = (context: BootContext, call: Call, entrance: Entrance): Promise<HttpResponse> =>
  posted(context, call, entrance, async (access, body) => {
    const state = body['state'] ?? (body['booted'] === true ? 'Booted' : body['booted'] === false ? 'NotBooted' : undefined)
    if (typeof state !== 'string' || !stateShape.test(state)) return plain(400, 'Cannot report: there is neither booted nor state.')
    if (access.facts.reports?.some(report => report.state === state)) return plain(200, 'Reported.')
    // A probe that has registered has said that it runs.
    if (state === 'Booted' && access.attempt.boot.purpose === 'Discovery' && access.facts.registration) return plain(200, 'Reported.')
    if ((access.facts.reports?.length ?? 0) >= 32) return plain(429, 'Too many states were reported.')
    return kept(context, access, facts => withReport(facts, state, printInstant(context.clock.now())), 'Reported.')
  })

async function posted(
  context: BootContext,
  { request }: Call,
  entrance: Entrance,
  take: (access: Access, body: Record<string, unknown>) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  if (request.method !== 'POST') return wrongMethod('POST')
  const { body = new Uint8Array() } = request
  if (body.length > largest) return plain(413, 'That is more than one machine has to say.')
  let json: unknown
  try {
    json = decodeJson(body)
  } catch {
    return plain(400, 'That is not JSON.')
  }
  const systemUUID = isObject(json) ? json['systemUUID'] : undefined
  if (!isObject(json) || typeof systemUUID !== 'string' || systemUUID.length > 64) return plain(400, 'There is no systemUUID.')
  const asked = await entrance(systemUUID)
  if (asked.is === 'refused') return asked.response
  const { server } = asked.access.attempt
  // A ticket of one server says nothing about another.
  if (!sameUuid(systemUUID, server.spec.systemUUID)) return refuse(context, server, 'a report names another system').response
  return take(asked.access, json)
}

/** Answered well only when it is on record: the sender tries again, and what it says must not be lost. */
async function kept(context: BootContext, { attempt }: Access, change: (facts: Facts) => Facts, done: string): Promise<HttpResponse> {
  const how = await context.evidence.note(attempt, change)
  if (how === 'gone') return refused
  return how === 'durable' ? plain(done === 'Registered.' ? 201 : 200, done) : away
}
