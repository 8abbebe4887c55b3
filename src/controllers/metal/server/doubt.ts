import { conditionOf } from '../../../core/condition.ts'
import { sameUuid } from '../../../policy/identity.ts'
import type { Identity } from '../../../ports/bmc.ts'
import type { ControllerKube } from '../../../ports/index.ts'
import { bmcs, type Server } from '../resources.ts'
import type { SeenMachine } from './seen.ts'

/** What the BMC controller finds when two machines, or two Servers, cannot be told apart. */
export const doubts: readonly string[] = ['AnotherMachine', 'DuplicateIdentity', 'SeveralServers', 'NoIdentity']

/**
 * Why it is not sure that what answers is this server. The BMC's own verdict comes first: only it sees all the others. Where it has not
 * been given yet, nothing is known, and nothing is done.
 */
export function doubtOf(kube: ControllerKube, { spec }: Server, identity: Identity | undefined): SeenMachine | undefined {
  const name = spec.bmcRef?.name
  if (name === undefined) return silent('bmc/none', 'no BMC is named that manages it (spec.bmcRef)')
  const bmc = kube.cached.get(bmcs, { name })
  if (!bmc) return silent('bmc/gone', `there is no BMC ${name}`)
  const verdict = conditionOf(bmc.status, 'Ready')
  if (!verdict) return silent('bmc/not-asked-yet', `BMC ${name} has not been asked yet`)
  if (verdict.status !== 'True' && doubts.includes(verdict.reason))
    return { is: 'doubtful', reason: verdict.reason, because: verdict.message }
  if (identity?.uuid !== undefined && !sameUuid(identity.uuid, spec.systemUUID)) {
    return {
      is: 'doubtful',
      reason: 'AnotherMachine',
      because: `another machine answers at BMC ${name}: ${identity.uuid} instead of ${spec.systemUUID}`,
    }
  }
  return undefined
}

const silent = (code: string, because: string): SeenMachine => ({ is: 'silent', code, because })
