import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { ask } from '../operation.ts'
import { findTarget, serverOf } from '../target.ts'

/** Sets a server aside: switched off once, and then left to whoever works on it. */
export const park = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const server = await serverOf(kube, await findTarget(kube, name, options))
    await ask(kube, server, 'park', ['Available', 'Reserved'])
    const { name: called } = server.metadata
    console.log(`${called} is switched off and then left alone, whatever its claim says. Back to work with: rackwright unpark ${called}`)
    return 0
  })

/** Takes it back. */
export const unpark = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const server = await serverOf(kube, await findTarget(kube, name, options))
    await ask(kube, server, 'unpark', ['Parked'])
    console.log(`${server.metadata.name} is taken back to work${server.spec.serverClaimRef ? ', and its claim has it again' : ''}.`)
    return 0
  })
