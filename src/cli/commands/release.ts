import { claims } from '../../controllers/metal/resources.ts'
import { withApi } from '../api.ts'
import { agreed } from '../ask.ts'
import type { Options } from '../catalogue/command.ts'
import { namespaceOf } from '../target.ts'

/** Gives a server back: it is switched off, and whoever claims it next installs it anew. */
export const release = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const key = { name, namespace: namespaceOf(options) }
    const claim = await kube.get(claims, key)
    const server = claim.spec.serverRef?.name
    if (server !== undefined && !(await agreed(options, `This switches ${server} off and gives it back, for others to install anew.`))) {
      console.log('Nothing was released.')
      return 1
    }
    await kube.delete(claims, key, claim.metadata.uid === undefined ? {} : { uid: claim.metadata.uid })
    console.log(
      server === undefined ? `Claim ${name} is gone; it had no server.` : `Claim ${name} is going; ${server} is switched off first.`,
    )
    return 0
  })
