import { servers } from '../../controllers/metal/resources.ts'
import { withApi } from '../api.ts'
import type { Action } from '../catalogue/command.ts'

const mark =
  (unclaimable: boolean): Action =>
  (options, name = '') =>
    withApi(options, async kube => {
      await kube.patch(servers, { name }, { merge: { spec: { unclaimable } } })
      console.log(unclaimable ? `No new claim takes ${name}. Whoever has it keeps it.` : `Claims may take ${name} again.`)
      return 0
    })

/** Keeps new claims away. */
export const cordon = mark(true)
export const uncordon = mark(false)
