import { Fault } from '../core/fault.ts'
import type { KubeObject } from '../core/object.ts'
import type { Action, Plan } from '../core/plan.ts'
import type { Entitlement, Performer } from '../ports/index.ts'
import { faultOf, isConflict } from './faults.ts'
import { changeOf, otherThan } from './fence.ts'
import { keyText } from './keys.ts'
import type { Refused } from './memory.ts'
import type { Failure, Ground, Result } from './result.ts'

/** What is to be done for an object as it was committed. */
export interface Task {
  readonly plan: Plan
  readonly object: KubeObject
  readonly changed: boolean
  readonly refused: Refused | undefined
  readonly entitlements: readonly Entitlement[]
}

/** Does the plan's actions in order, up to the first fault. Never throws. */
export async function perform(ground: Ground, task: Task): Promise<Result> {
  const { plan, object, changed } = task
  let fenced = false
  for (const action of plan.actions) {
    const doing = `Cannot ${action.do} ${keyText(object.metadata)} (${ground.reconciler.name})`
    let ended: Promise<void> | undefined
    try {
      if (task.refused?.verb === action.do) throw task.refused.fault
      const performer = performerOf(ground, action)
      if (performer.destructive && !fenced) {
        const change = await changeOf(ground, object, task.entitlements)
        if (change) return { is: 'overtaken', ...change }
        fenced = true
      }
      ground.mayAct()
      let over = (): void => {}
      ended = new Promise(resolve => {
        over = resolve
      })
      await ground.deadlines.run(doing, signal => performer.run(action, { object, signal }), over)
    } catch (error) {
      if (isConflict(error)) {
        const need = ground.finalizing.has(action.do) ? otherThan(object) : undefined
        return { is: 'overtaken', because: `something changed while "${action.do}" was done`, need }
      }
      const fault = faultOf(error, 'perform', doing)
      const failure: Failure = { is: 'failed', fault, step: 'perform', verb: action.do, plan, object, changed }
      return ended ? { ...failure, ended } : failure
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
