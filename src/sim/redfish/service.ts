import type { JsonObject } from '../../core/json.ts'
import { Hangup } from '../../net/exchange.ts'
import type { HttpRequest, HttpResponse } from '../../ports/index.ts'
import { interfere, slowness, tamper } from '../misbehaviour/on-calls.ts'
import { isOn, takes } from '../misbehaviour/switches.ts'
import { answerOf } from './answer.ts'
import type { SimBmc } from './bmc.ts'
import { type Call, callOf, keyOf } from './call.ts'
import { etagOf, fits } from './etag.ts'
import { authenticate } from './login.ts'
import type { Node, Outcome } from './node.ts'
import { applyQuery } from './query.ts'
import { errorBody, Refusal } from './refusal.ts'

/** Answers one request as this BMC would. Nothing in here leaves the microtask queue but for the BMC's own slowness. */
export async function redfish(bmc: SimBmc, request: HttpRequest): Promise<HttpResponse> {
  const { clock } = bmc.site
  const slow = bmc.site.latency(bmc)
  if (slow > 0) await slowness(clock, slow, request.signal)
  if (clock.now() < bmc.silentUntil) throw new Hangup('the BMC restarts')
  bmc.calls++
  let call: Call
  let outcome: Outcome
  try {
    call = callOf(request)
  } catch (error) {
    return answerOf(bmc, refused(bmc, error), request.method)
  }
  const instead = await interfere(bmc, call, request.signal)
  if (instead) return answerOf(bmc, instead, request.method)
  try {
    outcome = await respond(bmc, call)
  } catch (error) {
    outcome = refused(bmc, error)
  }
  return tamper(bmc, call, answerOf(bmc, outcome, request.method, allowed(find(bmc, call))), request.signal)
}

function refused(bmc: SimBmc, error: unknown): Outcome {
  if (!(error instanceof Refusal)) throw error
  return { status: error.status, body: errorBody(error, bmc.make.personality.protocol.says), headers: error.headers }
}

/** Static resources by their path; those that come and go by the place of their id. */
function find(bmc: SimBmc, call: Call): Node | undefined {
  const { nodes, families } = bmc.make.tree
  const node = nodes.get(call.key)
  if (node) return node
  const segments = call.key.split('/')
  const spelled = call.path.replace(/\/+$/, '').split('/')
  for (const back of [1, 2]) {
    const at = segments.length - back
    const found = families.get(segments.with(at, '*').join('/'))?.(bmc, spelled[at] ?? '')
    if (found) return found
  }
  return undefined
}

async function respond(bmc: SimBmc, call: Call): Promise<Outcome> {
  const node = find(bmc, call)
  const login = call.method === 'POST' && call.key === keyOf(bmc.make.at.sessions)
  const open = node?.open === true && (call.method === 'GET' || call.method === 'HEAD')
  if (!login && !open) authenticate(bmc, call)
  if (!node) throw new Refusal(404, 'ResourceMissingAtURI', [call.path])
  switch (call.method) {
    case 'GET':
    case 'HEAD':
      return look(bmc, node, call)
    case 'PATCH': {
      if (!node.patch) throw notAllowed(node)
      mayChange(bmc, call)
      mayPatch(bmc, node, call)
      return node.patch(bmc, call)
    }
    case 'POST': {
      if (!node.post) throw notAllowed(node)
      if (node.action) mayAct(bmc, call)
      return node.post(bmc, call)
    }
    case 'DELETE':
      if (!node.remove) throw notAllowed(node)
      return node.remove(bmc, call)
    default:
      throw notAllowed(node)
  }
}

function look(bmc: SimBmc, node: Node, call: Call): Outcome {
  if (node.look) return node.look(bmc, call)
  if (!node.read) throw notAllowed(node)
  const resource = tagged(bmc, ordered(bmc, node.read(bmc)))
  const body = applyQuery(bmc, resource, call, path => {
    const target = find(bmc, { ...call, path, key: keyOf(path) })
    return target?.read?.(bmc)
  })
  const etag = resource['@odata.etag']
  if (typeof etag !== 'string') return { status: 200, body }
  if (call.headers['if-none-match'] !== undefined && etag !== '' && fits(call.headers['if-none-match'], etag))
    return { status: 304, headers: { etag } }
  return { status: 200, body, headers: { etag } }
}

function ordered(bmc: SimBmc, resource: JsonObject): JsonObject {
  const members = resource['Members']
  if (!Array.isArray(members) || !isOn(bmc.machine, 'members-reordered')) return resource
  return { ...resource, Members: members.toReversed() }
}

function tagged(bmc: SimBmc, resource: JsonObject): JsonObject {
  const { etag } = bmc.make.personality.protocol
  if (resource['@odata.id'] === undefined) return resource
  if (isOn(bmc.machine, 'empty-etag')) return { ...resource, '@odata.etag': '' }
  if (isOn(bmc.machine, 'weak-etag')) return { ...resource, '@odata.etag': etagOf(resource, 'weak') }
  return etag === 'none' ? resource : { ...resource, '@odata.etag': etagOf(resource, etag) }
}

/** While the host initialises, some firmware owns the settings. */
function mayChange(bmc: SimBmc, call: Call): void {
  const { machine } = bmc
  if (machine.stage !== 'post' || !call.key.startsWith(keyOf(bmc.make.at.system))) return
  if (bmc.make.personality.protocol.refusesDuringPost || takes(machine, 'refuses-during-post', call))
    throw new Refusal(400, 'UnableToModifyDuringSystemPOST')
}

function mayPatch(bmc: SimBmc, node: Node, call: Call): void {
  const { ifMatch } = bmc.make.personality.protocol
  const { machine } = bmc
  const given = call.headers['if-match']
  if (given !== undefined && takes(machine, 'changed-etag', call)) throw new Refusal(412, 'PreconditionFailed')
  if (given?.startsWith('W/') && takes(machine, 'weak-etag', call)) throw new Refusal(412, 'PreconditionFailed')
  if (given?.trim() === '' && takes(machine, 'empty-etag', call)) throw new Refusal(412, 'PreconditionFailed')
  if (given === undefined) {
    if (ifMatch === 'required') throw new Refusal(428, 'PreconditionRequired')
    return
  }
  if (ifMatch === 'ignored' || !node.read) return
  if (!fits(given, etagOf(ordered(bmc, node.read(bmc)), 'strong'))) throw new Refusal(412, 'PreconditionFailed')
}

function mayAct(bmc: SimBmc, call: Call): void {
  const { protocol } = bmc.make.personality
  if (call.headers['if-match'] !== undefined && protocol.ifMatchOnActions === 'refused') throw new Refusal(412, 'PreconditionFailed')
  if (protocol.actionsNeedBody && (!call.raw || call.raw.length === 0)) throw new Refusal(400, 'UnrecognizedRequestBody')
}

const notAllowed = (node: Node): Refusal => new Refusal(405, 'OperationNotAllowed', [], { headers: { allow: allowed(node) ?? '' } })

function allowed(node: Node | undefined): string | undefined {
  if (!node) return undefined
  const verbs = [
    ...(node.read || node.look ? ['GET', 'HEAD'] : []),
    ...(node.patch ? ['PATCH'] : []),
    ...(node.post ? ['POST'] : []),
    ...(node.remove ? ['DELETE'] : []),
  ]
  return verbs.join(', ')
}
