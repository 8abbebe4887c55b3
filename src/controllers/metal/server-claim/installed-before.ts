import { conditionOf } from '../../../core/condition.ts'
import type { Server, ServerClaim } from '../resources.ts'

const well: readonly (string | undefined)[] = ['Installed', 'Started', 'Closed']

/** Whether this very claim, and not one of the same name before it, had its server installed: it had a configuration, and the server booted it. */
export function installedBefore({ metadata, status }: ServerClaim, server: Server | undefined): boolean {
  if (conditionOf(status, 'Configured')?.status !== 'True') return false
  const name = `${metadata.namespace ?? ''}/${metadata.name}`
  const { boot, earlierBoots = [] } = server?.status ?? {}
  const last = boot?.configuration ? [{ ...boot, configuration: `${boot.configuration.namespace}/${boot.configuration.name}` }] : []
  return [...earlierBoots, ...last].some(
    ({ purpose, configuration, method, outcome }) =>
      purpose === 'Claim' && configuration === name && (method === 'Hdd' || well.includes(outcome)),
  )
}
