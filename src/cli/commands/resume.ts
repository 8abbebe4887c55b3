import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { ask } from '../operation.ts'
import { findTarget, serverOf } from '../target.ts'

/** Boots a server that stopped because nobody here commanded its last boot: armed and read back as any other. */
export const resume = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const server = await serverOf(kube, await findTarget(kube, name, options))
    await ask(kube, server, 'resume-boot')
    console.log(`${server.metadata.name} is booted as it should be. Follow it with: rackwright timeline ${server.metadata.name}`)
    return 0
  })
