import { conditionOf } from '../../core/condition.ts'
import type { BootImageHistory, MachineConfiguration } from './resources.ts'

/** What Prometheus is told: of each machine resource what is decided and how often that went wrong, and of the whole whether it is degraded. */
export interface Figure {
  readonly metric: 'rackwright_boot_image_decision' | 'rackwright_boot_image_failures' | 'rackwright_boot_images_degraded'
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** One line for each machine resource, and one more for each that fails: it is gone with the failure, and the alert with it. */
export const figuresOf = (histories: readonly BootImageHistory[]): readonly Figure[] =>
  histories.flatMap(({ metadata, spec, status }) => {
    const { name, resource, apiGroup } = spec.machineResourceReference
    const labels = { namespace: metadata.namespace ?? '', name, resource, group: apiGroup }
    const { decision = 'Waiting', failures } = status?.sync ?? {}
    const reason = conditionOf(status, 'Synced')?.reason ?? ''
    const decided: Figure = { metric: 'rackwright_boot_image_decision', labels: { ...labels, decision, reason }, value: 1 }
    return failures === undefined
      ? [decided]
      : [decided, { metric: 'rackwright_boot_image_failures', labels: { ...labels, reason }, value: failures }]
  })

/** Nothing where all is well: a stamp that is overdue or a ConfigMap that cannot be read belongs to no machine resource. */
export const degradedOf = (configuration: MachineConfiguration | undefined): readonly Figure[] => {
  const degraded = conditionOf(configuration?.status, 'BootImageUpdateDegraded')
  return degraded?.status === 'True' ? [{ metric: 'rackwright_boot_images_degraded', labels: { reason: degraded.reason }, value: 1 }] : []
}

/** As Prometheus reads it. */
export const printFigures = (figures: readonly Figure[]): string =>
  figures
    .map(({ metric, labels, value }) => {
      const printed = Object.entries(labels).map(
        ([label, text]) => `${label}="${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`,
      )
      return `${metric}{${printed.join(',')}} ${value}\n`
    })
    .toSorted()
    .join('')
