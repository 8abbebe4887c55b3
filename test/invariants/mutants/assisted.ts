import type { AssistedReconciler } from '../../scenarios/assisted/setting.ts'
import type { AssistedMutant } from './mutant.ts'

type Seen = Parameters<AssistedReconciler['decide']>[0]
type AssistedPlan = ReturnType<AssistedReconciler['decide']>

const doing = (name: string, bad: string, otherwise: (plan: AssistedPlan, seen: Seen) => AssistedPlan): AssistedMutant => ({
  name,
  bad,
  assisted: {
    remake: right => ({ ...right, decide: (seen, now) => otherwise(right.decide(seen, now), seen) }),
  },
})
const but = (plan: AssistedPlan, ...more: AssistedPlan['actions']): AssistedPlan => ({ ...plan, actions: [...plan.actions, ...more] })

/** Mistakes that somebody could make in what has hosts of InfraEnvs installed. */
export const assistedMutants: readonly AssistedMutant[] = [
  doing('an image that is not pointed to its InfraEnv', 'its host waits for ever', plan => ({
    ...plan,
    actions: plan.actions.filter(action => action.do !== 'point'),
  })),
  doing('inspection switched off for hosts of an InfraEnv', 'nobody knows what they are made of', (plan, { host }) =>
    host.state === 'registering' || host.inspectAnnotation === undefined
      ? but(plan, { do: 'change', merge: { metadata: { annotations: { 'inspect.metal3.io': 'disabled' } } } })
      : plan,
  ),
  doing('a host asked to restart while its agent installs it', 'half a system is on its disk', (plan, { host }) =>
    host.state === 'provisioning' ? but(plan, { do: 'change', merge: { metadata: { annotations: { 'reboot.metal3.io': '' } } } }) : plan,
  ),
  {
    name: 'an image of which something is kept when its object goes',
    bad: 'the secrets of its InfraEnv lie about for ever',
    by: 'its object is gone',
    assisted: { remakeImages: right => ({ ...right, perform: { ...right.perform, drop: { run: async () => {} } } }) },
  },
]
