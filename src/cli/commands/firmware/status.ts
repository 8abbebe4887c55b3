import pc from 'picocolors'
import { wallClock } from '../../../net/wall-clock.ts'
import { withApi } from '../../api.ts'
import type { Options } from '../../catalogue/command.ts'
import { outlookOf } from '../../firmware/outlook.ts'
import { renderStatus } from '../../firmware/render.ts'
import { print } from '../../output/structured.ts'
import { readTargets } from './read.ts'

export const firmwareStatus = (options: Options, name?: string): Promise<number> =>
  withApi(options, async kube => {
    const outlooks = (await readTargets(kube, name)).map(outlookOf)
    print(options, outlooks, () => renderStatus(outlooks, wallClock.now(), pc))
    return 0
  })
