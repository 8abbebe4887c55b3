import { printInstant } from '../../core/instant.ts'
import type { ArtifactRole } from '../../policy/boot/method.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { type Access, refuse } from '../access.ts'
import { plain, refused, wrongMethod } from '../answers.ts'
import { type Servable, servableBlob, serveArtifact } from '../artifact.ts'
import type { Attempt } from '../attempts.ts'
import type { BootContext, Call } from '../context.ts'
import type { Part } from '../coverage.ts'
import { fetchOf, withFetch } from '../facts.ts'
import { secondBoot } from '../stages.ts'

/** What answers a request, and which artefact it counts as. */
interface Offer {
  readonly counts: ArtifactRole
  /** Which part of it is that artefact. */
  readonly extent: Part
  readonly what: Servable | undefined
}

/** An artefact of the image that is booted, to whoever was let in; the first who fetches it is the only one. */
export async function artifact(context: BootContext, call: Call, access: Access, role: ArtifactRole): Promise<HttpResponse> {
  const { request, address } = call
  if (request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod('GET, HEAD')
  const { attempt, facts } = access
  const { server } = attempt
  const offer = await offered(context, attempt, role)
  if (!offer) return plain(404, `What is booted has no ${role}.`)
  const { counts } = offer
  const again = secondBoot(context, access, counts)
  if (again !== undefined) return refuse(context, server, again).response
  const { from } = fetchOf(facts, counts) ?? {}
  if (from !== undefined && from !== address)
    return refuse(context, server, `${address} asks for the ${counts} that ${from} fetched first`).response
  const response = serveArtifact(offer.what, role, request)
  if (request.method === 'HEAD' || (response.status !== 200 && response.status !== 206)) return response
  if (from === undefined) {
    const begun: Change = f => withFetch(f, { what: counts, first: printInstant(context.clock.now()), from: address })
    // Who fetched the script is on record: that it goes on with what the script says need not be, before it has it.
    if (fetchOf(facts, 'script')?.from === address) context.evidence.hold(attempt, begun)
    else if ((await context.evidence.note(attempt, begun)) === 'gone') return refused
    // Two may have asked at once: the one whose fetch was kept is served.
    const kept = fetchOf(context.evidence.of(attempt), counts)?.from
    if (kept !== address) return refuse(context, server, `${address} asks for the ${counts} that ${kept} fetched first`).response
  }
  return { ...response, body: counted(context, attempt, offer, response) }
}

type Change = Parameters<BootContext['evidence']['note']>[1]

/** As it is in the image; a medium is made of the UKI where the image has none. */
async function offered(context: BootContext, { artifacts, boot }: Attempt, role: ArtifactRole): Promise<Offer | undefined> {
  const own = artifacts.find(a => a.role === role)
  if (own) return { counts: role, extent: { start: 0, end: own.bytes }, what: await servableBlob(context.blobs, own.digest) }
  const uki = artifacts.find(a => a.role === 'uki')
  if (role !== 'iso' || !uki || boot.method !== 'VirtualMedia') return undefined
  const disc = await context.discs.of(uki.digest)
  const what = disc && { size: disc.bytes, etag: `"iso-${uki.digest}"`, read: disc.read }
  return { counts: 'uki', extent: disc?.file ?? { start: 0, end: uki.bytes }, what }
}

function partOf({ headers }: HttpResponse, size: number): Part {
  const [, start, last] = /^bytes (\d+)-(\d+)\//.exec(headers['content-range'] ?? '') ?? []
  return start === undefined ? { start: 0, end: size } : { start: Number(start), end: Number(last) + 1 }
}

/** The last slice waits until it is on record that everything was served: nothing boots of which nobody knows. */
async function* counted(context: BootContext, attempt: Attempt, offer: Offer, { headers, body }: HttpResponse): AsyncGenerator<Uint8Array> {
  const { counts, extent } = offer
  const part = partOf({ status: 0, headers, body }, offer.what?.size ?? 0)
  const within: Part = { start: Math.max(part.start, extent.start) - extent.start, end: Math.min(part.end, extent.end) - extent.start }
  const relevant = within.start < within.end
  const length = part.end - part.start
  let sent = 0
  for await (const slice of body instanceof Uint8Array ? [body] : body) {
    sent += slice.length
    if (sent === length && relevant && context.coverage.completes(attempt, counts, within, extent.end - extent.start)) {
      const done = printInstant(context.clock.now())
      context.ages.done(attempt, counts)
      await context.evidence.note(attempt, f => withFetch(f, { ...(fetchOf(f, counts) ?? { what: counts, first: done }), done }))
    }
    yield slice
    context.tally.count('bytes', counts, slice.length)
  }
  if (relevant) context.coverage.add(attempt, counts, within)
}
