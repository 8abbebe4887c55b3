import { conditionOf } from '../../core/condition.ts'
import type { BootImageHistory } from './resources.ts'

/** What Prometheus is told of one machine resource: what is decided about it, and for how long that has gone wrong. */
export interface Figure {
  readonly metric: 'rackwright_boot_image_decision' | 'rackwright_boot_image_failures'
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
