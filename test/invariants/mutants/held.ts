import { maintenances, servers } from '../../../src/controllers/metal/resources.ts'
import { act, release } from '../../../src/core/plan.ts'
import type { MetalProgramOptions } from '../../scenarios/metal/program.ts'
import { doing, type Seen, seeing, server } from './metal.ts'
import type { MetalMutant, MetalStory } from './mutant.ts'

const isHeld = ({ server: { standing } }: Seen): boolean => standing.phase === 'Maintenance'
const isOver = (seen: Seen): boolean => isHeld(seen) && seen.maintenance !== undefined && seen.maintenance.is !== 'there'

type Remake = NonNullable<MetalProgramOptions['remakeMaintenance']>
const work = (shows: MetalStory, name: string, bad: string, remakeMaintenance: Remake): MetalMutant => ({
  name,
  bad,
  shows,
  metal: { remakeMaintenance },
})

/** Mistakes that somebody could make about maintenances. */
export const heldMutants: readonly MetalMutant[] = [
  doing('maintained', 'a maintenance that boots the disk', 'what it wants to change runs meanwhile', (plan, seen) => ({
    ...plan,
    actions: plan.actions.map(action => (isHeld(seen) && action.do === 'arm' ? { do: 'arm', target: 'Hdd' } : action)),
  })),
  doing('maintained', 'let go while its image runs', 'a claim has a server on which somebody’s tools run', (plan, seen) =>
    isOver(seen) ? { ...plan, status: {}, actions: [{ do: 'endMaintenance' }] } : plan,
  ),
  seeing('maintained', 'let go with its next boot armed', 'the claim’s next restart boots the tools', seen =>
    isOver(seen) && seen.machine.is === 'there' && seen.machine.power === 'Off'
      ? { ...seen, machine: { ...seen.machine, armed: { target: 'None', raw: 'None', lasts: 'Disabled', address: 'none' } } }
      : seen,
  ),
  doing('maintained', 'armed again, and nobody noted it', 'its ticket is that of a boot that is over', (plan, seen) => {
    const { boot: _, ...status } = plan.status
    return isHeld(seen) && plan.actions.some(({ do: verb }) => verb === 'arm') && seen.boot?.step === 'Running' ? { ...plan, status } : plan
  }),
  doing('maintained', 'provisioned by a maintenance', 'a disk that nobody wrote is booted', (plan, seen) => {
    const { configuration: of } = seen
    if (!isHeld(seen) || seen.boot?.step !== 'Running' || of?.provisioned !== 'no') return plan
    const { namespace, name, uid, revision } = of
    return { ...plan, actions: [...plan.actions, { do: 'markProvisioned', namespace, name, uid, revision }] }
  }),
  doing('maintained', 'the power cut for a maintenance', 'the claim’s file system is damaged', (plan, seen) => ({
    ...plan,
    actions: plan.actions.map(action => (isHeld(seen) && action.do === 'switchOff' ? { ...action, how: 'forced' as const } : action)),
  })),
  seeing('maintained', 'blind to what its BMC does', 'a machine whose firmware is half written never starts again', seen =>
    seen.machine.is === 'there' ? { ...seen, machine: { ...seen.machine, busy: false } } : seen,
  ),
  server('maintained', 'asks the claim, and not the maintenance', 'one that was deleted meanwhile is booted', controller => ({
    ...controller,
    entitledBy: seen => (controller.entitledBy?.(seen) ?? []).filter(({ of }) => of.plural !== maintenances.plural),
  })),
  doing('maintenanceGoes', 'a maintenance that is over and boots on', 'nobody gets the server back', (plan, seen) =>
    isOver(seen) ? { ...plan, status: {}, actions: [] } : plan,
  ),
  seeing('maintained', 'the first boot once more after a maintenance', 'a running system is overwritten', seen =>
    !isHeld(seen) && seen.boot?.purpose === 'Maintenance' && seen.configuration
      ? { ...seen, configuration: { ...seen.configuration, provisioned: 'no' } }
      : seen,
  ),
  work('maintained', 'an owner who is not asked', 'a system in use is switched off', controller => ({
    ...controller,
    decide: (seen, now) =>
      controller.decide({ ...seen, next: { name: '', us: true }, maintenance: { ...seen.maintenance, enforced: true } }, now),
  })),
  work('maintained', 'a maintenance that goes before its server', 'nobody ends its boot', controller => ({
    ...controller,
    decide: (seen, now) => (seen.maintenance.deleting ? act('it goes', [release]) : controller.decide(seen, now)),
  })),
  work('inTurn', 'a server taken from its holder', 'an update is cut off in its middle', (controller, kube) => ({
    ...controller,
    decide: (seen, now) =>
      controller.decide(
        seen.server && seen.server.holder !== 'us'
          ? { ...seen, next: { name: '', us: true }, server: { ...seen.server, holder: 'nobody' } }
          : seen,
        now,
      ),
    perform: {
      ...controller.perform,
      take: {
        async run({ server: name }, { object, signal }) {
          const found = await kube.fresh(servers, { name }, signal)
          const { name: of, namespace } = object.metadata
          const metadata = { resourceVersion: found?.metadata.resourceVersion }
          await kube.patch(servers, { name }, { merge: { metadata, spec: { serverMaintenanceRef: { name: of, namespace } } } }, { signal })
        },
      },
    },
  })),
]
