import { Fault } from '../core/fault.ts'
import { isObject } from '../core/json.ts'
import type { KubeObject } from '../core/object.ts'
import type { Listing, ResourceRef, Where } from '../ports/index.ts'
import { ask, type Line } from './exchange.ts'
import { collectionPath } from './path.ts'
import { isExpired } from './refusal.ts'

const pageSize = 500

/** Every object at one revision. A continue token that expires on the way (a slow reader, a busy server) costs a second, undivided read. */
export async function list<T extends KubeObject>(line: Line, of: ResourceRef<T>, where: Where, signal?: AbortSignal): Promise<Listing<T>> {
  try {
    return await readAll(line, of, where, pageSize, signal)
  } catch (error) {
    if (!isExpired(error)) throw error
    return readAll(line, of, where, undefined, signal)
  }
}

async function readAll<T extends KubeObject>(
  line: Line,
  of: ResourceRef<T>,
  where: Where,
  limit: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Listing<T>> {
  const pages: (readonly T[])[] = []
  let next: string | undefined
  while (true) {
    const query = { labelSelector: where.labels, fieldSelector: where.fields, limit, continue: next }
    const page = readPage<T>(
      await ask(line, { method: 'GET', url: collectionPath(of, where.namespace, query), ...(signal ? { signal } : {}) }),
      of,
    )
    pages.push(page.items)
    if (page.next === undefined) return { revision: page.revision, items: pages.length === 1 ? pages[0]! : pages.flat() }
    next = page.next
  }
}

interface Page<T> {
  readonly revision: string
  readonly items: readonly T[]
  readonly next: string | undefined
}

function readPage<T extends KubeObject>(answer: unknown, of: ResourceRef<T>): Page<T> {
  const metadata = isObject(answer) ? answer['metadata'] : undefined
  const revision = isObject(metadata) ? metadata['resourceVersion'] : undefined
  if (!isObject(answer) || !isObject(metadata) || typeof revision !== 'string') {
    throw new Fault('kube/odd-answer', `Cannot list ${of.plural}: the answer is not a list`)
  }
  const items = (answer['items'] ?? []) as readonly T[]
  const next = typeof metadata['continue'] === 'string' && metadata['continue'] !== '' ? metadata['continue'] : undefined
  return { revision, items: withKind(items, answer), next }
}

/** Kubernetes leaves apiVersion and kind out of the items of its own lists; a reader should not have to know. */
function withKind<T extends KubeObject>(items: readonly T[], answer: Record<string, unknown>): readonly T[] {
  if (items[0] === undefined || items[0].kind !== undefined) return items
  const kind = String(answer['kind']).replace(/List$/, '')
  return items.map(item => ({ ...item, apiVersion: String(answer['apiVersion']), kind }))
}
