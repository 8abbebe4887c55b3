import { printInstant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { HttpResponse } from '../../ports/index.ts'
import { type Access, refuse } from '../access.ts'
import { away, plain, refused, wrongMethod } from '../answers.ts'
import type { Attempt } from '../attempts.ts'
import type { BootContext, Call } from '../context.ts'
import { fetchOf, withFetch } from '../facts.ts'
import { readUserData } from '../ignition/read.ts'
import { secrets } from '../kinds.ts'

/** The user data of a boot, from its Secret: read for each request, kept nowhere, and only for the machine that it belongs to. */
export async function ignition(
  context: BootContext,
  { request, address }: Call,
  { attempt, userData, facts }: Access,
): Promise<HttpResponse> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return wrongMethod('GET, HEAD')
  const { server, configuration, generation } = attempt
  const name = configuration.spec.ignitionSecretRef?.name
  if (configuration.metadata.generation !== generation) return refuse(context, server, 'what it boots was changed since').response
  if (attempt.boot.method === 'Hdd') return refuse(context, server, 'it boots its disk, and asks for user data').response
  if (name !== undefined && !userData)
    return refuse(context, server, `user data is not given to ${address}, which is not known for it`).response
  const { from } = fetchOf(facts, 'ignition') ?? {}
  if (from !== undefined && from !== address)
    return refuse(context, server, `${address} asks for user data that ${from} fetched first`).response
  const read = name === undefined ? { ignition: nothing } : await fromSecret(context, attempt, name)
  if ('status' in read) return read
  if (request.method === 'GET') {
    const now = printInstant(context.clock.now())
    const kept = await context.evidence.note(attempt, f => withFetch(f, { what: 'ignition', first: now, done: now, from: address }))
    if (kept === 'gone' || fetchOf(context.evidence.of(attempt), 'ignition')?.from !== address) return refused
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/vnd.coreos.ignition+json', 'cache-control': 'no-store' },
    body: Buffer.from(JSON.stringify(read.ignition)),
  }
}

/** Images whose command line is signed ask whether or not there is something for them. */
const nothing = { ignition: { version: '3.4.0' } }

async function fromSecret(
  context: BootContext,
  { key, server }: Attempt,
  name: string,
): Promise<HttpResponse | { readonly ignition: Json }> {
  const secret = await context.kube.find(secrets, { ...key, name }).catch(() => 'away' as const)
  if (secret === 'away') return away
  const encoded = secret?.data?.['ignition']
  if (encoded === undefined) return plain(404, `The Secret ${name} has no key "ignition".`)
  const read = readUserData(Buffer.from(encoded, 'base64'))
  if (!('wrong' in read)) return read
  context.log.warn('User data cannot be served', { server: server.metadata.name, secret: name, because: read.wrong })
  return plain(422, `The user data cannot be served: ${read.wrong}.`)
}
