import type { KubeObject } from '../core/object.ts'
import { pausedBecause } from '../core/paused.ts'
import { act, idle } from '../core/plan.ts'
import { commit } from './commit.ts'
import { faultOf, isConflict, isGone, type Step } from './faults.ts'
import { otherThan } from './fence.ts'
import { hold, lacksFinalizer } from './finalizer.ts'
import { keyText } from './keys.ts'
import { lasting, type Memory, refusedFor } from './memory.ts'
import { perform } from './perform.ts'
import type { Ground, Result } from './result.ts'
import { statusPatch } from './status.ts'

/** Observe, decide, commit, perform: one look at one object. Never throws. */
export async function reconcile(ground: Ground, object: KubeObject, memory: Memory): Promise<Result> {
  const { reconciler, clock } = ground
  const { last } = memory
  const { finalizer, name } = reconciler
  const key = keyText(object.metadata)
  const paused = pausedBecause(object)
  if (paused !== undefined) return { is: 'planned', plan: idle(`it is paused: ${paused || 'nobody said why'}`), object, changed: false }
  if (finalizer !== undefined && lacksFinalizer(object, finalizer)) {
    if (object.metadata.deletionTimestamp !== undefined)
      return { is: 'planned', plan: idle('it is let go: others still hold it'), object, changed: false }
    const plan = act(`takes hold of it with ${finalizer}`, [hold])
    return perform(ground, { plan, object, changed: false, refused: undefined, entitlements: [] })
  }
  let step: Step = 'observe'
  try {
    const { keep, ...facts } = lasting(memory, clock.elapsed())
    const doing = `Cannot observe ${key} (${name})`
    const seen = await ground.deadlines.run(doing, signal => reconciler.observe(object, { signal, last, ...facts }))
    keep()
    step = 'decide'
    const plan = reconciler.decide(seen, clock.now())
    const entitlements = reconciler.entitledBy?.(seen) ?? []
    // A previous fault is over when nothing is left to do, or when what was done last did not fail.
    const works = plan.actions.length === 0 || (last !== undefined && last.failed === undefined)
    const patch = statusPatch(object, plan.status, works, clock.now(), ground.status)
    step = 'commit'
    const committed = patch ? await commit(ground, object, patch) : object
    // A server that keeps nothing of what it was sent (a field that its schema does not know) has not changed anything.
    const changed = committed.metadata.resourceVersion !== object.metadata.resourceVersion
    return await perform(ground, { plan, object: committed, changed, refused: refusedFor(memory, object), entitlements })
  } catch (error) {
    if (step === 'commit' && (isConflict(error) || isGone(error))) {
      return { is: 'overtaken', because: 'it changed while it was looked at', need: otherThan(object) }
    }
    return { is: 'failed', fault: faultOf(error, step, `Cannot ${step} ${key} (${name})`), step, object, changed: false }
  }
}
