import { isFalse, isTrue } from '../../../core/condition.ts'
import type { Plan } from '../../../core/plan.ts'
import { judgeOrder } from '../../../policy/boot/order.ts'
import type { Seen } from './seen.ts'
import type { Verb } from './verbs.ts'

/** What the BIOS would boot by itself: told, and set right where somebody asked for that and the machine is off. */
export function audited(seen: Seen, plan: Plan<Verb>): Plan<Verb> {
  const { machine, server } = seen
  if (machine.is !== 'there' || !machine.order) return plan
  const verdict = judgeOrder(machine.order)
  const condition = verdict.compliant
    ? isTrue('BootOrderCompliant', 'ShellFirst', verdict.because)
    : isFalse('BootOrderCompliant', verdict.reason, verdict.because)
  const enforces = !verdict.compliant && verdict.wanted !== undefined && server.bootOrderPolicy === 'Enforce' && machine.power === 'Off'
  const setRight: readonly Verb[] = enforces && plan.actions.length === 0 ? [{ do: 'setBootOrder', order: verdict.wanted }] : []
  return {
    ...plan,
    status: { ...plan.status, conditions: [...(plan.status.conditions ?? []), condition] },
    actions: [...plan.actions, ...setRight],
  }
}
