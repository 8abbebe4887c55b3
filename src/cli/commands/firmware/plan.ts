import pc from 'picocolors'
import { withApi } from '../../api.ts'
import type { Options } from '../../catalogue/command.ts'
import { outlookOf } from '../../firmware/outlook.ts'
import { renderPlan } from '../../firmware/render.ts'
import { print } from '../../output/structured.ts'
import { readTargets } from './read.ts'

/** Touches nothing. */
export const firmwarePlan = (options: Options, name?: string): Promise<number> =>
  withApi(options, async kube => {
    const outlooks = (await readTargets(kube, name)).map(outlookOf)
    print(options, outlooks, () => renderPlan(outlooks, pc))
    return 0
  })
