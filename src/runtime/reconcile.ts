import { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import { type Action, act, idle, type Plan } from '../core/plan.ts'
import type { Clock, ControllerKube, Performer, Reconciler } from '../ports/index.ts'
import type { Deadlines } from './deadline.ts'
import type { Echoes } from './echoes.ts'
import { faultOf, isConflict, isGone, type Step } from './faults.ts'
import { hold, lacksFinalizer } from './finalizer.ts'
import { keyText } from './keys.ts'
import type { Need } from './marks.ts'
import { lasting, type Memory, type Refused, refusedFor } from './memory.ts'
import { faultPatch, type Patch, statusPatch } from './status.ts'

/** What one reconcile stands on. */
export interface Ground {
  readonly reconciler: Reconciler
  readonly kube: ControllerKube
  readonly clock: Clock
  readonly echoes: Echoes
  /** The runtime's own actions. */
  readonly finalizing: ReadonlyMap<string, Performer<KubeObject, Action>>
  /** Throws where this process may not act (any more). */
  readonly mayAct: () => void
  readonly deadlines: Deadlines
}

/** How a reconcile ended. */
export type Result =
  | { readonly is: 'planned'; readonly plan: Plan; readonly object: KubeObject; readonly changed: boolean }
  /** Somebody was quicker. If it was about the object itself, `need` says what the cache has to show before the next look. */
  | { readonly is: 'overtaken'; readonly because: string; readonly need: Need | undefined }
  | Failure

export interface Failure {
  readonly is: 'failed'
  readonly fault: Fault
  readonly step: Step
  /** The verb that failed. */
  readonly verb?: string
  readonly plan?: Plan
  readonly object: KubeObject
  readonly changed: boolean
  /** Resolves when an action that is over its time really ends. */
  readonly ended?: Promise<void>
}

/** Observe, decide, commit, perform: one look at one object. Never throws. */
export async function reconcile(ground: Ground, object: KubeObject, memory: Memory): Promise<Result> {
  const { reconciler, clock } = ground
  const { last } = memory
  const { finalizer, name } = reconciler
  const key = keyText(object.metadata)
  if (finalizer !== undefined && lacksFinalizer(object, finalizer)) {
    if (object.metadata.deletionTimestamp !== undefined) return planned(idle('it is let go: others still hold it'), object)
    return perform(ground, act(`takes hold of it with ${finalizer}`, [hold]), object, false, undefined)
  }
  let plan: Plan
  let step: Step = 'observe'
  try {
    const facts = lasting(memory, clock.elapsed())
    const doing = `Cannot observe ${key} (${name})`
    const seen = await ground.deadlines.run(doing, signal => reconciler.observe(object, { signal, last, lasting: facts.ask }))
    facts.keep()
    step = 'decide'
    plan = reconciler.decide(seen, clock.now())
    // A previous fault is over when nothing is left to do, or when what was done last did not fail.
    const works = plan.actions.length === 0 || (last !== undefined && last.failed === undefined)
    const patch = statusPatch(object, plan.status, works, clock.now())
    step = 'commit'
    const committed = patch ? await commit(ground, object, patch) : object
    // A server that keeps nothing of what it was sent (a field that its schema does not know) has not changed anything.
    const changed = committed.metadata.resourceVersion !== object.metadata.resourceVersion
    return await perform(ground, plan, committed, changed, refusedFor(memory, object))
  } catch (error) {
    if (step === 'commit' && (isConflict(error) || isGone(error))) {
      return { is: 'overtaken', because: 'it changed while it was looked at', need: otherThan(object) }
    }
    return { is: 'failed', fault: faultOf(error, step, `Cannot ${step} ${key} (${name})`), step, object, changed: false }
  }
}

const planned = (plan: Plan, object: KubeObject): Result => ({ is: 'planned', plan, object, changed: false })

async function perform(ground: Ground, plan: Plan, object: KubeObject, changed: boolean, refused: Refused | undefined): Promise<Result> {
  const { reconciler } = ground
  const key = keyText(object.metadata)
  let fenced = false
  for (const action of plan.actions) {
    const verb = action.do
    const failed = (error: unknown, ended?: Promise<void>): Failure => ({
      is: 'failed',
      fault: faultOf(error, 'perform', `Cannot ${verb} ${key} (${reconciler.name})`),
      step: 'perform',
      verb,
      plan,
      object,
      changed,
      ...(ended ? { ended } : {}),
    })
    if (refused?.verb === verb) return failed(refused.fault)
    let over = (): void => {}
    const ended = new Promise<void>(resolve => {
      over = resolve
    })
    try {
      const performer = performerOf(ground, action)
      if (performer.destructive && !fenced) {
        const need = await changeOf(ground, object)
        if (need) return { is: 'overtaken', because: `it changed before "${verb}" was to be done`, need }
        fenced = true
      }
      ground.mayAct()
      await ground.deadlines.run(`Cannot ${verb} ${key} (${reconciler.name})`, signal => performer.run(action, { object, signal }), over)
    } catch (error) {
      if (isConflict(error)) {
        const need = ground.finalizing.has(verb) ? otherThan(object) : undefined
        return { is: 'overtaken', because: `something changed while "${verb}" was done`, need }
      }
      return failed(error, ended)
    }
  }
  return { is: 'planned', plan, object, changed }
}

function performerOf({ reconciler, finalizing }: Ground, { do: verb }: Action): Performer<KubeObject, Action> {
  const own = Object.hasOwn(reconciler.perform, verb) ? reconciler.perform[verb] : undefined
  const performer = own ?? finalizing.get(verb)
  if (performer) return performer
  throw new Fault('runtime/no-performer', `Cannot do "${verb}": the controller ${reconciler.name} has no such action`, 'never')
}

const otherThan = ({ metadata: { resourceVersion } }: KubeObject): Need =>
  resourceVersion === undefined ? {} : { otherThan: resourceVersion }

/** Asks the server, past all caches, whether it still has exactly what was decided about; otherwise says what the cache has to show. */
async function changeOf({ kube, reconciler }: Ground, object: KubeObject): Promise<Need | undefined> {
  const fresh = (await kube.fresh(reconciler.kind, object.metadata))?.metadata
  if (fresh?.uid === object.metadata.uid && fresh?.resourceVersion === object.metadata.resourceVersion) return undefined
  return fresh?.resourceVersion === undefined ? otherThan(object) : { atLeast: fresh.resourceVersion }
}

/** Writes the status, refused unless the object is still the one that was seen. Returns it as it is then. */
export async function commit({ kube, reconciler, echoes }: Ground, object: KubeObject, patch: Patch): Promise<KubeObject> {
  const { name, namespace, uid, resourceVersion } = object.metadata
  const key = namespace === undefined ? { name } : { name, namespace }
  const answered = echoes.writing(keyText(key))
  let revision: string | undefined
  try {
    const metadata = { resourceVersion, uid }
    const committed = await kube.patch(reconciler.kind, key, { merge: { metadata, status: patch } }, { subresource: 'status' })
    revision = committed.metadata.resourceVersion
    return committed
  } finally {
    answered(revision)
  }
}

/** Tells of a fault in the object's status, if it does not say so yet: the one second write. False where that did not work. */
export async function commitFault(ground: Ground, { object, fault }: Failure): Promise<boolean> {
  const patch = faultPatch(object, fault, ground.clock.now())
  if (!patch) return true
  try {
    ground.mayAct()
    await commit(ground, object, patch)
    return true
  } catch {
    return false
  }
}
