import pc from 'picocolors'
import { configurations, type Server } from '../../controllers/metal/resources.ts'
import type { Reader } from '../../ports/index.ts'
import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { eventsOf } from '../events.ts'
import { print } from '../output/structured.ts'
import { findTarget, serverOf } from '../target.ts'
import { type BootStory, bootsOf } from '../timeline/boots.ts'
import { renderBoots } from '../timeline/render.ts'

/** Every boot of a server: asked, read back, consumed, served, reported. Read from the API alone. */
export const timeline = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const server = await serverOf(kube, await findTarget(kube, name, options))
    const boots = await readBoots(kube, server)
    print(options, boots, () => renderBoots(server.metadata.name, boots, pc))
    return 0
  })

export async function readBoots(kube: Reader, server: Server): Promise<readonly BootStory[]> {
  const { items } = await kube.list(configurations)
  const own = items.filter(({ spec }) => spec.serverRef.name === server.metadata.name)
  return bootsOf({ server, configurations: own, events: await eventsOf(kube, server) })
}
