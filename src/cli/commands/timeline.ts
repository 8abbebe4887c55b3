import pc from 'picocolors'
import { configurations, type Server } from '../../controllers/metal/resources.ts'
import type { Reader } from '../../ports/index.ts'
import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { eventsOf } from '../events.ts'
import { print } from '../output/structured.ts'
import { findTarget, serverOf } from '../target.ts'
import { type BootStory, bootsOf } from '../timeline/boots.ts'
import { lifeOf } from '../timeline/host.ts'
import { renderBoots, renderMoments } from '../timeline/render.ts'

/** Every boot of a server: asked, read back, consumed, served, reported; of a host, what happened to it. Read from the API alone. */
export const timeline = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const target = await findTarget(kube, name, options)
    if (target.is === 'host') {
      const { host } = target
      const moments = lifeOf(host, await eventsOf(kube, host))
      print(options, moments, () => renderMoments(`${host.metadata.namespace ?? ''}/${host.metadata.name}`, moments, pc))
      return 0
    }
    const server = await serverOf(kube, target)
    const boots = await readBoots(kube, server)
    print(options, boots, () => renderBoots(server.metadata.name, boots, pc))
    return 0
  })

export async function readBoots(kube: Reader, server: Server): Promise<readonly BootStory[]> {
  const { items } = await kube.list(configurations)
  const own = items.filter(({ spec }) => spec.serverRef.name === server.metadata.name)
  return bootsOf({ server, configurations: own, events: await eventsOf(kube, server) })
}
