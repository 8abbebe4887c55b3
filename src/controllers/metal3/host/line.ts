import { readBmcAddress } from '../../../policy/metal3/bmc-address.ts'
import { raidToMake } from '../../../policy/metal3/raid.ts'
import { ramdiskNeed } from '../../../policy/metal3/ramdisk-need.ts'
import type { Cached } from '../../../ports/index.ts'
import { type BareMetalHost, hosts } from '../resources.ts'
import { phaseOf } from './phases.ts'

/** So many hosts boot their ramdisk from the network at a time; those with virtual media burden nobody. */
export const hostsAtOnce = 20

/** Whether a ramdisk is fetched for it now or next, over a network that others need, too. */
export function bootsFromNetwork({ spec, status }: BareMetalHost): boolean {
  const address = spec?.bmc ? readBmcAddress(spec.bmc.address) : undefined
  if (!spec || !address || 'because' in address || address.boots === 'VirtualMedia') return false
  const need = ramdiskNeed({
    phase: phaseOf(status?.provisioning?.state),
    inspection: spec.inspectionMode === 'fast' ? 'fast' : 'agent',
    cleaning: spec.automatedCleaningMode,
    liveIso: spec.image?.format === 'live-iso',
    prepares: raidToMake(spec.raid, status?.provisioning?.raid, spec.rootDeviceHints !== undefined) !== undefined,
  })
  return need === 'required'
}

/** How many places a host is away from its turn; undefined where it is its turn, or it need not wait. */
export function inLineOf(cached: Cached, host: BareMetalHost, atOnce: number): number | undefined {
  if (!bootsFromNetwork(host)) return undefined
  const own = place(host)
  const before = cached.by(hosts, 'network', 'boots').filter(other => other.metadata.uid !== host.metadata.uid && place(other) < own).length
  return before < atOnce ? undefined : before - atOnce + 1
}

/** Those that have begun come first, then those that came first. */
function place({ metadata, status }: BareMetalHost): string {
  const operation = { inspecting: 'inspect', preparing: 'register', provisioning: 'provision', deprovisioning: 'deprovision' } as const
  const phase = phaseOf(status?.provisioning?.state) as keyof typeof operation
  const works = { inspecting: 'inspect', preparing: 'prepare', provisioning: 'deploy', deprovisioning: 'clean' } as const
  const begun = status?.engine !== undefined && status.engine.work === works[phase]
  return [begun ? '0' : '1', status?.operationHistory?.[operation[phase]]?.start ?? '', metadata.uid ?? ''].join(' ')
}
