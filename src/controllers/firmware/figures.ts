import { conditionOf } from '../../core/condition.ts'
import type { ServerBIOS, ServerFirmware } from './resources.ts'

/** What Prometheus is told: of each object whether its server is as wanted, and why not. */
export function firmwareFigures(targets: readonly (ServerBIOS | ServerFirmware)[]): string {
  const lines = targets.flatMap(({ kind, metadata, spec, status }) => {
    const about = `kind="${kind}",name="${metadata.name}",server="${spec.serverRef.name}"`
    const sync = conditionOf(status, 'InSync')
    const drift = sync?.status === 'True' ? 0 : 1
    return [
      `rackwright_firmware_drift{${about},reason="${sync?.reason ?? 'NotScanned'}"} ${drift}\n`,
      ...[status?.trouble, status?.scanTrouble].flatMap(trouble =>
        trouble ? [`rackwright_firmware_job_failures{${about},program="${trouble.program}"} ${trouble.failures}\n`] : [],
      ),
    ]
  })
  return lines.toSorted().join('')
}
