import { configurations, type ServerBootConfiguration } from '../../controllers/metal/resources.ts'
import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { outlookOf, outlookText } from '../next-boot.ts'
import { print } from '../output/structured.ts'
import { findTarget, serverOf } from '../target.ts'

/** What a server boots next, and why. */
export const boot = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const server = await serverOf(kube, await findTarget(kube, name, options))
    const { serverClaimRef: claim, maintenanceBootConfigurationRef: maintenance } = server.spec
    const find = async (ref: { name: string; namespace: string } | undefined): Promise<ServerBootConfiguration | undefined> =>
      ref && kube.find(configurations, { name: ref.name, namespace: ref.namespace })
    const outlook = outlookOf({ server, claimed: await find(claim), maintained: await find(maintenance) })
    print(options, outlook, () => outlookText(outlook))
    return 0
  })
