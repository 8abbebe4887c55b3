import pc from 'picocolors'
import { withApi } from '../../api.ts'
import type { Action } from '../../catalogue/command.ts'
import { renderHistory } from '../../output/boot-image-history.ts'
import { print } from '../../output/structured.ts'
import { findHistory } from './find.ts'

/** Which boot images a machine resource had. */
export const imageHistory: Action = (options, name = '') =>
  withApi(options, async kube => {
    const history = await findHistory(kube, name, options)
    print(options, history, () => renderHistory(history, pc))
    return 0
  })
