import { claims, type Server, servers } from '../../controllers/metal/resources.ts'
import { Fault } from '../../core/fault.ts'
import { wallClock } from '../../net/wall-clock.ts'
import type { Kube } from '../../ports/index.ts'
import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { hostPower, unknownPower } from '../host-power.ts'
import { findTarget, serverOf } from '../target.ts'

/** Says whether a server or a host shall be on: on the server's claim where it has one, as a claim's wish wins. */
export const power = (options: Options, name = '', to = ''): Promise<number> =>
  withApi(options, async kube => {
    const target = await findTarget(kube, name, options)
    if (target.is === 'host') {
      await hostPower(kube, target.host, to)
      return 0
    }
    const server = await serverOf(kube, target)
    switch (to.toLowerCase()) {
      case 'on':
        await wish(kube, server, 'On')
        break
      case 'off':
        await wish(kube, server, 'Off')
        break
      case 'cycle':
        await cycle(kube, server)
        break
      default:
        throw unknownPower(to)
    }
    return 0
  })

/** Off, and on again once it is off: two wishes, as a person would have them. */
export async function cycle(kube: Kube, server: Server, meanwhile?: () => Promise<void>): Promise<void> {
  await wish(kube, server, 'Off')
  await untilOff(kube, server)
  await meanwhile?.()
  await wish(kube, server, 'On')
}

/** What it would boot is a claim's to say, or a maintenance's: nothing is switched on without that. */
function unclaimed({ metadata: { name }, status }: Server, power: 'On' | 'Off'): Fault {
  const what = `Cannot switch ${name} ${power.toLowerCase()}: no claim has it, and it is ${status?.state ?? 'new'}`
  return power === 'On'
    ? new Fault('cli/power', `${what}. A server that nobody has stays off`, 'never', {
        hint: `rackwright claim <name> --server ${name} --image <reference>, or rackwright maintain ${name}`,
      })
    : new Fault('cli/power', `${what}. One that is free is switched off by itself`, 'never', {
        hint: `kubectl annotate server ${name} metal.ironcore.dev/operation=force-off-server cuts its power`,
      })
}

export async function wish(kube: Kube, server: Server, power: 'On' | 'Off'): Promise<void> {
  const claim = server.spec.serverClaimRef
  if (!claim) throw unclaimed(server, power)
  await kube.patch(claims, { name: claim.name, namespace: claim.namespace }, { merge: { spec: { power } } })
  console.log(`${server.metadata.name} shall be ${power}, says claim ${claim.namespace}/${claim.name} now.`)
}

/** Longer than a graceful shutdown may take. */
const patience = 10 * 60_000

async function untilOff(kube: Kube, { metadata: { name } }: Server): Promise<void> {
  const until = wallClock.elapsed() + patience
  while ((await kube.get(servers, { name })).status?.powerState !== 'Off') {
    if (wallClock.elapsed() > until)
      throw new Fault('cli/power', `Cannot switch ${name} on again: it is not off after ten minutes`, 'never', {
        hint: `rackwright why ${name}`,
      })
    await wallClock.sleep(1_000)
  }
}
