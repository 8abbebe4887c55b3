import { isFalse, isTrue } from '../../../core/condition.ts'
import { act, idle, type Plan } from '../../../core/plan.ts'
import type { PrefixEntry } from '../../../policy/mac-prefix.ts'

export interface Seen {
  readonly name: string
  readonly deleting: boolean
  readonly macAddress: string
  readonly entry: PrefixEntry | undefined
  /** An older Endpoint with the same hardware address. */
  readonly twin: string | undefined
  readonly bmc: 'none' | 'ours' | 'other'
}

export type Verb = { readonly do: 'createBmc'; readonly entry: PrefixEntry }

/** Makes a BMC where a management controller was seen. What somebody changed on the BMC afterwards, credentials above all, stays as it is. */
export function decide({ deleting, macAddress, entry, twin, bmc, name }: Seen): Plan<Verb> {
  if (deleting) return idle('it is going; its BMC stays until somebody deletes it')
  if (twin !== undefined) return refused('DuplicateAddress', `Endpoint ${twin} has hardware address ${macAddress}, and was there first`)
  if (bmc === 'other') return refused('NameTaken', `a BMC called ${name} is there, and is not for this Endpoint`)
  if (bmc === 'ours') return idle(`BMC ${name}`, { status: { conditions: [isTrue('Accepted', 'BmcMade', `BMC ${name}`)] } })
  if (!entry)
    return refused('UnknownPrefix', `nobody said what controllers with hardware address ${macAddress} are: add its prefix to the table`)
  return act(`makes BMC ${name}: ${entry.manufacturer}, by its hardware address`, [{ do: 'createBmc', entry }])
}

const refused = (reason: string, because: string): Plan<Verb> =>
  idle(because, { status: { conditions: [isFalse('Accepted', reason, because)] } })
