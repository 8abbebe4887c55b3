import { ApiError } from '../../api/status.ts'
import { copyJson, isObject, putJson, sameJson } from '../../core/json.ts'
import { locate, type Place, pointerTokens, read } from './pointer.ts'

const mostOperations = 10_000
/** What `copy` may add to a document, as text: a dozen operations could double it a dozen times. */
const mostCopied = 3 * 1024 * 1024

interface Operation {
  readonly op: string
  readonly path: readonly string[]
  readonly from: readonly string[]
  readonly value: unknown
  readonly text: string
}

/**
 * RFC 6902, all or nothing. Throws ApiError: BadRequest where the patch is none, RequestEntityTooLarge, Invalid where it does not
 * apply (a failed test, a missing path), as Kubernetes does. The result shares nothing with either input.
 */
export function jsonPatch(document: unknown, patch: unknown): unknown {
  const operations = readOperations(patch)
  // A box around the document, so that replacing all of it is an operation like the others.
  const box = { root: copyJson(document) }
  let copied = 0
  for (const [index, operation] of operations.entries()) {
    const refuse = (found: string) =>
      new ApiError(
        'Invalid',
        `the server rejected our request due to an error in our request: JSON patch operation ${index} (${operation.op} ${operation.text}): ${found}`,
      )
    const place = locate(box, ['root', ...operation.path])
    switch (operation.op) {
      case 'add':
        insert(place, copyJson(operation.value), refuse)
        break
      case 'remove':
        remove(place, refuse)
        break
      case 'replace':
        replace(place, copyJson(operation.value), refuse)
        break
      case 'test':
        if (!sameJson(read(place)?.value ?? null, operation.value)) throw refuse('the test failed: the value there is another')
        break
      case 'copy': {
        const source = present(locate(box, ['root', ...operation.from]), refuse)
        copied += JSON.stringify(source).length
        if (copied > mostCopied)
          throw new ApiError('RequestEntityTooLarge', `Cannot apply the JSON patch: its copy operations add more than ${mostCopied} bytes`)
        insert(place, copyJson(source), refuse)
        break
      }
      case 'move':
        move(box, operation, refuse)
        break
    }
  }
  return box.root
}

type Refuse = (found: string) => ApiError

function readOperations(patch: unknown): readonly Operation[] {
  if (!Array.isArray(patch)) throw new ApiError('BadRequest', 'Cannot read the JSON patch: it is not a list of operations')
  if (patch.length > mostOperations) {
    throw new ApiError('RequestEntityTooLarge', `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${patch.length}`)
  }
  return patch.map(readOperation)
}

const known = ['add', 'remove', 'replace', 'test', 'copy', 'move']

function readOperation(operation: unknown, index: number): Operation {
  if (!isObject(operation)) throw new ApiError('BadRequest', `Cannot read operation ${index} of the JSON patch: it is not an object`)
  const wrong = (found: string) => new ApiError('Invalid', `Cannot read operation ${index} of the JSON patch: ${found}`)
  const { op, path, from, value } = operation
  if (typeof op !== 'string' || !known.includes(op))
    throw wrong(`op is ${JSON.stringify(op) ?? 'missing'}; one of ${known.join(', ')} is needed`)
  const pathTokens = typeof path === 'string' ? pointerTokens(path) : undefined
  if (!pathTokens) throw wrong(`path is ${JSON.stringify(path) ?? 'missing'}; a JSON pointer ("/spec/power") is needed`)
  const moves = op === 'copy' || op === 'move'
  const fromTokens = typeof from === 'string' ? pointerTokens(from) : undefined
  if (moves && !fromTokens) throw wrong(`from is ${JSON.stringify(from) ?? 'missing'}; a JSON pointer is needed`)
  if ((op === 'add' || op === 'replace' || op === 'test') && !Object.hasOwn(operation, 'value')) throw wrong('value is missing')
  return { op, path: pathTokens, from: fromTokens ?? [], value, text: JSON.stringify(path) }
}

function present(place: Place, refuse: Refuse): unknown {
  const found = read(place)
  if (!found) throw refuse(place.in === 'nothing' ? place.because : 'there is no such value')
  return found.value
}

function insert(place: Place, value: unknown, refuse: Refuse): void {
  if (place.in === 'nothing') throw refuse(place.because)
  if (place.in === 'object') putJson(place.object, place.key, value)
  else if (place.at <= place.list.length) place.list.splice(place.at, 0, value)
  else throw refuse(`position ${place.at} lies beyond a list of ${place.list.length}`)
}

function remove(place: Place, refuse: Refuse): void {
  present(place, refuse)
  if (place.in === 'object') delete place.object[place.key]
  else if (place.in === 'list') place.list.splice(place.at, 1)
}

/** Fields need not be there before, against the RFC and as in Kubernetes; items of lists do. */
function replace(place: Place, value: unknown, refuse: Refuse): void {
  if (place.in === 'object') {
    putJson(place.object, place.key, value)
    return
  }
  present(place, refuse)
  if (place.in === 'list') place.list[place.at] = value
}

function move(box: object, operation: Operation, refuse: Refuse): void {
  const { from, path } = operation
  if (from.length < path.length && from.every((token, index) => token === path[index])) throw refuse('a value cannot be moved into itself')
  const source = locate(box, ['root', ...from])
  const value = present(source, refuse)
  if (from.length === 0) return
  remove(source, refuse)
  insert(locate(box, ['root', ...path]), value, refuse)
}
