/** How people choose: as the cluster allows, always, or never. */
export const convergedFlows = ['Auto', 'On', 'Off'] as const
export type ConvergedFlow = (typeof convergedFlows)[number]

/** By which of the two ways hosts of an InfraEnv are installed, and why. */
export type Flow =
  | { readonly is: 'converged'; readonly because: string }
  | { readonly is: 'live-iso'; readonly reason: 'ConvergedFlowOff' | 'VersionTooOld'; readonly because: string }

export interface FlowSeen {
  readonly setting: ConvergedFlow
  /** What the cluster says of itself: that it has no operators at all, or the version of the one for bare metal. */
  readonly operators: { readonly are: 'none' } | { readonly are: 'there'; readonly baremetal: string | undefined }
  /** Our own image customisation builds images of hosts. */
  readonly builds: boolean
}

/** Since then image customisation waits for the Ignition of an InfraEnv. */
const since = '4.12.0-0.alpha'

export function flowOf({ setting, operators, builds }: FlowSeen): Flow {
  const old = (because: string): Flow => ({ is: 'live-iso', reason: 'VersionTooOld', because })
  if (setting === 'On') return { is: 'converged', because: 'convergedFlow is On' }
  if (setting === 'Off') return { is: 'live-iso', reason: 'ConvergedFlowOff', because: 'convergedFlow is Off' }
  if (operators.are === 'none')
    return builds ? { is: 'converged', because: 'images of hosts are built here' } : old('nobody here builds images of hosts')
  const { baremetal } = operators
  if (baremetal === undefined) return old('there is no ClusterOperator baremetal that says its version')
  return isSince(baremetal, since)
    ? { is: 'converged', because: `ClusterOperator baremetal is at ${baremetal}` }
    : old(`ClusterOperator baremetal is at ${baremetal}, and ${since} is needed`)
}

/** Versions as semver orders them; what is no version is older than everything. */
export function isSince(version: string, wanted: string): boolean {
  const [a, b] = [parsed(version), parsed(wanted)]
  if (!a || !b) return false
  for (const n of [0, 1, 2] as const) if (a.numbers[n] !== b.numbers[n]) return a.numbers[n]! > b.numbers[n]!
  if (a.before.length === 0 || b.before.length === 0) return a.before.length === 0
  for (let n = 0; n < Math.max(a.before.length, b.before.length); n++) {
    const [left, right] = [a.before[n], b.before[n]]
    if (left === undefined || right === undefined) return right === undefined
    if (left !== right) return isLater(left, right)
  }
  return true
}

function isLater(left: string, right: string): boolean {
  const [l, r] = [/^\d+$/.test(left), /^\d+$/.test(right)]
  if (l && r) return Number(left) > Number(right)
  return l === r ? left > right : r
}

function parsed(version: string): { readonly numbers: readonly number[]; readonly before: readonly string[] } | undefined {
  const found = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/.exec(version)
  if (!found) return undefined
  return { numbers: [Number(found[1]), Number(found[2]), Number(found[3])], before: found[4]?.split('.') ?? [] }
}
