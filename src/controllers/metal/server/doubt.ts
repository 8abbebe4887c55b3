import { conditionOf } from '../../../core/condition.ts'
import { sameUuid } from '../../../policy/identity.ts'
import type { ControllerKube } from '../../../ports/index.ts'
import { doubts } from '../bmc/decide.ts'
import { bmcs, type Server } from '../resources.ts'
import type { SeenMachine } from './seen.ts'

export const notAskedYet = 'bmc/not-asked-yet'

/**
 * Why it is not sure that what answers is this server. The BMC's own verdict comes first: only it sees all the others. Where it has not
 * been given yet, nothing is known, and nothing is done.
 */
export function doubtOf(kube: ControllerKube, { spec }: Server, uuid: string | undefined): SeenMachine | undefined {
  const name = spec.bmcRef?.name
  if (name === undefined) return silent('bmc/none', 'no BMC is named that manages it (spec.bmcRef)')
  const bmc = kube.cached.get(bmcs, { name })
  if (!bmc) return silent('bmc/gone', `there is no BMC ${name}`)
  const verdict = conditionOf(bmc.status, 'Ready')
  if (!verdict) return silent(notAskedYet, `BMC ${name} has not been asked yet`)
  if (verdict.status !== 'True' && doubts.includes(verdict.reason))
    return { is: 'doubtful', reason: verdict.reason, because: verdict.message }
  if (uuid !== undefined && !sameUuid(uuid, spec.systemUUID)) {
    return {
      is: 'doubtful',
      reason: 'AnotherMachine',
      because: `another machine answers at BMC ${name}: ${uuid} instead of ${spec.systemUUID}`,
    }
  }
  return undefined
}

const silent = (code: string, because: string): SeenMachine => ({ is: 'silent', code, because })
