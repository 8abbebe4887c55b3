import { ApiError } from '../../api/status.ts'
import { Fault } from '../../core/fault.ts'
import { isObject, sameJson } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import { pausedAnnotation } from '../../core/paused.ts'
import type { Kube, ResourceRef } from '../../ports/index.ts'
import { secrets } from '../compose/bmc-access.ts'
import { type Cargo, keyOf, readCargo, refuseOpenBoots } from './cargo.ts'
import { type Moved, restamp, restampStatus } from './restamp.ts'

export interface MovePorts {
  readonly source: Kube
  readonly target: Kube
  /** Where Secrets of cluster-scoped kinds are, here and there. */
  readonly manager: string
  tell(line: string): void
}

const namespaces: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }

interface Pair extends Moved {
  readonly of: ResourceRef
}

/**
 * Moves every server, with what belongs to it, from one API to another. The source is paused first and stays so; what arrives is paused
 * until all of it is there. Nothing is switched: machines notice nothing.
 */
export async function moveAll({ source, target, manager, tell }: MovePorts): Promise<number> {
  const before = await readCargo(source, manager)
  refuseOpenBoots(before)
  await refuseTwins(target, before)
  await Promise.all(before.objects.map(({ of, object }) => pause(source, of, object, 'moved to another cluster')))
  tell(`Paused ${before.objects.length} objects here.`)
  const cargo = await readCargo(source, manager)
  refuseOpenBoots(cargo)
  await bringSecrets(target, cargo)
  const pairs = await create(target, cargo)
  await settle(target, pairs)
  for (const { of, to } of pairs) await target.patch(of, keyOf(to), { merge: { metadata: { annotations: { [pausedAnnotation]: null } } } })
  tell(`Moved ${pairs.length} objects and ${cargo.secrets.length} Secrets.`)
  return pairs.length
}

/** Whatever has the same name over there already is somebody's. */
async function refuseTwins(target: Kube, { objects }: Cargo): Promise<void> {
  const found = await Promise.all(objects.map(async ({ of, object }) => ((await target.find(of, keyOf(object))) ? object : undefined)))
  const twins = found.filter(object => object !== undefined).map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  if (twins.length > 0)
    throw new Fault('move/twins', `Cannot move: over there is already ${twins.slice(0, 5).join(', ')}`, 'never', {
      hint: 'delete what is left of an earlier move there, or move to an empty cluster',
    })
}

const pause = (kube: Kube, of: ResourceRef, object: KubeObject, because: string): Promise<KubeObject> =>
  kube.patch(of, keyOf(object), { merge: { metadata: { annotations: { [pausedAnnotation]: because } } } })

async function bringSecrets(target: Kube, { objects, secrets: needed }: Cargo): Promise<void> {
  const wanted = new Set([...objects.map(({ object }) => object), ...needed].flatMap(({ metadata }) => metadata.namespace ?? []))
  for (const name of wanted) await unlessThere(target.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  for (const secret of needed) await unlessThere(target.create(secrets, bare(secret)))
}

async function unlessThere(made: Promise<unknown>): Promise<void> {
  await made.catch((error: unknown) => {
    if (!ApiError.is(error, 'AlreadyExists')) throw error
  })
}

/** Creates everything, owners first, each with the identities that are known by then. */
async function create(target: Kube, { objects }: Cargo): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  const stamps = new Map<string, Moved>()
  for (const { of, object } of objects) {
    const { status: _, ...rest } = bare(object)
    const to = await target.create(of, restamp(rest, stamps) as KubeObject)
    pairs.push({ of, from: object, to })
    stamps.set(object.metadata.uid ?? '', { from: object, to })
  }
  return pairs
}

/** References that go both ways are known only now; the status comes last, when generations stand still. */
async function settle(target: Kube, pairs: readonly Pair[]): Promise<void> {
  const stamps = new Map(pairs.map(pair => [pair.from.metadata.uid ?? '', pair as Moved]))
  for (const pair of pairs) {
    const spec = restamp(pair.from['spec'], stamps)
    if (!isObject(spec) || sameJson(spec, pair.to['spec'])) continue
    const to = await target.patch(pair.of, keyOf(pair.to), { merge: { spec } })
    stamps.set(pair.from.metadata.uid ?? '', { from: pair.from, to })
  }
  for (const { of, from } of pairs) {
    const moved = stamps.get(from.metadata.uid ?? '')!
    const status = restampStatus(moved, stamps)
    if (isObject(status)) await target.patch(of, keyOf(from), { merge: { status } }, { subresource: 'status' })
  }
}

/** Without what a server gives by itself. */
function bare(object: KubeObject): KubeObject {
  const { name, namespace, labels, annotations, finalizers, ownerReferences } = object.metadata
  const given = { name, namespace, labels, annotations, finalizers, ownerReferences }
  const metadata = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as unknown as KubeObject['metadata']
  return { ...object, metadata }
}
