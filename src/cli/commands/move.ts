import { kinds } from '../../api/kinds.ts'
import { Fault } from '../../core/fault.ts'
import { wallClock } from '../../net/wall-clock.ts'
import { withApi } from '../api.ts'
import { agreed } from '../ask.ts'
import type { Options } from '../catalogue/command.ts'
import { managerNamespace } from '../compose/manager-namespace.ts'
import { moveAll } from '../move/move.ts'
import { findNeighbours } from '../operator/neighbours.ts'

/** From one API to another: from one machine to a cluster, when the fleet has outgrown it. */
export async function move(options: Options): Promise<number> {
  const to = options['to']
  if (typeof to !== 'string') throw new Fault('move/where', 'Cannot move: --to names no kubeconfig', 'never')
  const question = 'Move all servers, claims and BMCs there? Here they are paused and stay so. Nothing is rebooted.'
  if (!(await agreed(options, question))) return 1
  return withApi(options, source =>
    withApi({ ...options, kubeconfig: to }, async target => {
      const crds = kinds.map(({ plural, group }) => `${plural}.${group}`)
      const { missing } = await findNeighbours(target, wallClock, { name: 'metal', crds, rivals: [] })
      if (missing.length > 0)
        throw new Fault('move/no-crds', `Cannot move: over there is no ${missing.join(', ')}`, 'when-changed', {
          hint: 'install them first: rackwright crds | kubectl --kubeconfig … apply -f -, or the Helm chart',
        })
      await moveAll({ source, target, manager: managerNamespace, tell: line => console.log(line) })
      console.log('Over there `rackwright operator` takes them up. Stop what runs here; its state can go when you are sure.')
      return 0
    }),
  )
}
