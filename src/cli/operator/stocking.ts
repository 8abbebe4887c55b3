import { configurations, type ServerBootConfiguration } from '../../controllers/metal/resources.ts'
import type { BootArtifacts } from '../../ports/boot-artifacts.ts'
import type { Log, Watcher } from '../../ports/index.ts'

/**
 * Brings what configurations have pinned to the shelf of this replica, so that a machine need not wait for a registry. A replica that is
 * new serves as soon as it has fetched.
 */
export async function keepStocked(kube: Watcher, artifacts: BootArtifacts, log: Log, signal: AbortSignal): Promise<void> {
  for await (const batch of kube.watch(configurations, {}, signal))
    for (const event of batch) if (event.type === 'ADDED' || event.type === 'MODIFIED') stock(event.object, artifacts, log)
}

function stock({ metadata, spec, status }: ServerBootConfiguration, artifacts: BootArtifacts, log: Log): void {
  if (spec.image === undefined || !status?.image || metadata.deletionTimestamp !== undefined) return
  const state = artifacts.ensure({ reference: spec.image }, status.image.artifacts)
  if (state.is === 'failed') log.warn('Cannot fetch what a machine may boot', { image: spec.image, error: state.because })
}
