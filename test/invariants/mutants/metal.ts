import type { Plan } from '../../../src/core/plan.ts'
import { release } from '../../../src/core/plan.ts'
import type { ServerReconciler } from '../../scenarios/metal/program.ts'
import type { MetalMutant, MetalStory } from './mutant.ts'

export type Seen = Parameters<ServerReconciler['decide']>[0]
type ServerPlan = ReturnType<ServerReconciler['decide']>

export const server = (
  shows: MetalStory,
  name: string,
  bad: string,
  remakeServer: (controller: ServerReconciler) => ServerReconciler,
): MetalMutant => ({ name, bad, shows, metal: { remakeServer } })
/** Sees the world otherwise than it is. */
export const seeing = (shows: MetalStory, name: string, bad: string, otherwise: (seen: Seen) => Seen): MetalMutant =>
  server(shows, name, bad, controller => ({ ...controller, decide: (seen, now) => controller.decide(otherwise(seen), now) }))
/** Decides rightly, and then does something else. */
export const doing = (shows: MetalStory, name: string, bad: string, otherwise: (plan: ServerPlan, seen: Seen) => ServerPlan): MetalMutant =>
  server(shows, name, bad, controller => ({ ...controller, decide: (seen, now) => otherwise(controller.decide(seen, now), seen) }))
export const without = <P extends Plan>(plan: P, verb: string): P => ({
  ...plan,
  actions: plan.actions.filter(action => action.do !== verb),
})
const careless = (shows: MetalStory, name: string, bad: string, verb: 'arm' | 'switchOn' | 'switchOff'): MetalMutant =>
  server(shows, name, bad, controller => ({
    ...controller,
    perform: { ...controller.perform, [verb]: { run: controller.perform[verb].run as never } },
  }))

/** Mistakes that somebody could make in the controllers of servers and claims. */
export const metalMutants: readonly MetalMutant[] = [
  {
    ...seeing('powerCycled', 'switched on before the read-back', 'a machine boots whatever its BIOS finds', seen =>
      seen.machine.is === 'there' && seen.boot?.step === 'Arming'
        ? { ...seen, machine: { ...seen.machine, armed: { target: seen.boot.method, raw: '', lasts: 'Once', address: 'ours' } } }
        : seen,
    ),
    // A crash between the note and the call, or a call that fails, leaves it unarmed.
    looks: ['crash after', 'fails'],
  },
  doing('powerCycled', 'boots that nobody noted', 'a crash leaves a boot that nobody knows of', plan => {
    const { boot: _, ...status } = plan.status
    return { ...plan, status }
  }),
  doing('released', 'let go while it runs', 'the next claim gets a machine that somebody still uses', (plan, seen) =>
    seen.server.standing.phase === 'Released' && seen.claim ? { ...plan, actions: [{ do: 'letGo' }] } : plan,
  ),
  doing('powerCycled', 'let go because its BMC is silent', 'a time-out takes a running server from its claim', (plan, seen) =>
    seen.machine.is === 'silent' && seen.claim ? { ...plan, actions: [{ do: 'letGo' }] } : plan,
  ),
  careless('powerCycled', 'switched on by the word of a cache', 'a claim that is gone meanwhile boots its server', 'switchOn'),
  careless('powerCycled', 'armed by the word of a cache', 'a configuration that is gone meanwhile is booted', 'arm'),
  careless('released', 'switched off by the word of a cache', 'a claim that changed its mind loses its system', 'switchOff'),
  server(
    'released',
    'asks nobody but itself',
    'what the claim wants now is not looked at before the act',
    ({ entitledBy: _, ...controller }) => controller,
  ),
  doing('claimed', 'a first boot that is never done', 'every power cycle installs the server again', plan =>
    without(plan, 'markProvisioned'),
  ),
  seeing('claimed', 'a first boot that is done too early', 'an empty disk is booted', seen =>
    seen.configuration ? { ...seen, configuration: { ...seen.configuration, level: 'PowerOn' } } : seen,
  ),
  seeing('powerCycled', 'a first boot every time', 'a running system is overwritten', seen =>
    seen.configuration ? { ...seen, configuration: { ...seen.configuration, provisioned: 'no' } } : seen,
  ),
  doing('released', 'the power cut at once', 'a file system is damaged', plan => ({
    ...plan,
    actions: plan.actions.map(action => (action.do === 'switchOff' ? { ...action, how: 'forced' as const } : action)),
  })),
  doing('discovered', 'discovery that leaves its configuration behind', 'a claim boots the probe', plan =>
    without(plan, 'deleteConfiguration'),
  ),
  doing('powerCycled', 'a boot that never ends', 'install artefacts are served for ever', plan => {
    const { boot, ...status } = plan.status
    const ends = typeof boot === 'object' && boot !== null && 'outcome' in boot && 'step' in boot && boot.step === 'Ended'
    return ends ? { ...plan, status } : plan
  }),
  doing('claimed', 'its disk not armed for the restart', 'a fresh installation ends in the EFI shell, or in another one', (plan, seen) =>
    seen.boot?.step === 'Running' && plan.actions.some(action => action.do === 'arm') ? without(plan, 'arm') : plan,
  ),
  {
    shows: 'released',
    name: 'a claim that goes before its server',
    bad: 'nobody switches the server off',
    metal: {
      remakeClaim: controller => ({
        ...controller,
        decide: (seen, now) =>
          seen.claim.deleting ? { ...controller.decide(seen, now), actions: [release] } : controller.decide(seen, now),
      }),
    },
  },
]
