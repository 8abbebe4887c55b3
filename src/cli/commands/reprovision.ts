import { configurations } from '../../controllers/metal/resources.ts'
import type { Kube, ObjectKey } from '../../ports/index.ts'
import { withApi } from '../api.ts'
import { agreed } from '../ask.ts'
import type { Options } from '../catalogue/command.ts'
import { findTarget, namespaceOf, serverOf } from '../target.ts'
import { cycle } from './power.ts'

/** Installs a claimed server anew, with what its claim says now. The only way to do that without giving the server back. */
export const reprovision = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const target = await findTarget(kube, `claim/${name}`, options)
    const server = await serverOf(kube, target)
    const image = target.is === 'claim' ? target.claim.spec.image : ''
    if (!(await agreed(options, `This switches ${server.metadata.name} off and installs ${image} over what is on its disks.`))) {
      console.log('Nothing was changed.')
      return 1
    }
    await cycle(kube, server, () => forget(kube, { name, namespace: namespaceOf(options) }))
    console.log(`${server.metadata.name} is installed anew. Follow it with: rackwright timeline ${name}`)
    return 0
  })

/** That a server is installed lives and dies with its boot configuration: its claim makes another one, which begins from the beginning. */
export async function forget(kube: Kube, key: ObjectKey): Promise<void> {
  const { uid } = (await kube.get(configurations, key)).metadata
  await kube.delete(configurations, key, uid === undefined ? {} : { uid })
}
