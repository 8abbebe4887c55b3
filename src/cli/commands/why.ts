import pc from 'picocolors'
import { wallClock } from '../../net/wall-clock.ts'
import { withApi } from '../api.ts'
import type { Options } from '../catalogue/command.ts'
import { print } from '../output/structured.ts'
import { findTarget } from '../target.ts'
import { whyOf } from '../why/read.ts'
import { renderChain } from '../why/render.ts'

/** What it waits for, since when, who must act, and the command that unblocks it. Read from the API alone. */
export const why = (options: Options, name = ''): Promise<number> =>
  withApi(options, async kube => {
    const chain = await whyOf(kube, await findTarget(kube, name, options))
    print(options, chain, () => renderChain(chain, wallClock.now(), pc))
    return 0
  })
