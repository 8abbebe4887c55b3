import { configurations } from '../../controllers/metal/resources.ts'
import { Fault } from '../../core/fault.ts'
import { provisionedAnnotation } from '../../policy/boot/provisioned.ts'
import { withApi } from '../api.ts'
import { agreed } from '../ask.ts'
import type { Options } from '../catalogue/command.ts'
import { findTarget, serverOf } from '../target.ts'

/** Says that a server is installed already, so that its next boot is from disk and nothing is installed over it. */
export const adopt = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const server = await serverOf(kube, await findTarget(kube, name, options))
    const claim = server.spec.serverClaimRef
    const key = server.spec.bootConfigurationRef ?? claim
    if (!key) throw new Fault('cli/adopt', `Cannot adopt ${server.metadata.name}: no claim has it, so nothing says what it boots`, 'never')
    const { metadata } = await kube.get(configurations, { name: key.name, namespace: key.namespace })
    if (!(await agreed(options, `From now on ${server.metadata.name} boots from its disk, whatever is on it.`))) return 1
    const annotations = { [provisionedAnnotation]: 'true' }
    const { resourceVersion } = metadata
    await kube.patch(
      configurations,
      { name: key.name, namespace: key.namespace },
      { merge: { metadata: { resourceVersion, annotations } } },
    )
    console.log(`${server.metadata.name} counts as installed.`)
    return 0
  })
