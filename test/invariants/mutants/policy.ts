import { doing, without } from './metal.ts'
import type { MetalMutant } from './mutant.ts'

/** Mistakes that somebody could make about what is booted next. */
export const policyMutants: readonly MetalMutant[] = [
  doing('powerCycled', 'the network armed where the disk was noted', 'a running system is overwritten', plan => ({
    ...plan,
    actions: plan.actions.map(action =>
      action.do === 'arm' && action.target === 'Hdd' ? { ...action, target: 'UefiHttp' as const } : action,
    ),
  })),
  doing('claimed', 'the network armed once more for the installer’s restart', 'it is installed for ever', (plan, seen) => ({
    ...plan,
    actions: plan.actions.map(action =>
      action.do === 'arm' && seen.boot?.step === 'Running' ? { ...action, target: 'UefiHttp' as const } : action,
    ),
  })),
  doing('maintenanceGoes', 'what a maintenance armed stays armed', 'the claim’s next restart boots the tools', plan =>
    without(plan, 'disarm'),
  ),
  doing('claimed', 'provisioned before anything was fetched', 'an empty disk is booted', (plan, seen) => {
    const { configuration: of } = seen
    if (of?.provisioned !== 'no' || seen.boot?.step !== 'Starting') return plan
    const { namespace, name, uid, revision } = of
    return { ...plan, actions: [...plan.actions, { do: 'markProvisioned', namespace, name, uid, revision }] }
  }),
]
