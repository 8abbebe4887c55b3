import type { BootImageHistory } from '../../controllers/boot-images/resources.ts'
import { conditionOf } from '../../core/condition.ts'
import type { Paint } from './paint.ts'
import { table } from './table.ts'

/** The lineage of a machine resource, newest first, with what is being done about it. */
export function renderHistory({ metadata, spec, status }: BootImageHistory, paint: Paint): string {
  const { name, resource, apiGroup } = spec.machineResourceReference
  const now = status?.sync?.image
  const details = (status?.details ?? []).toReversed()
  const rows = details.map(({ updateTime, bootImageVersion, image = '', configMapGeneration }) => [
    image === now ? '*' : '',
    updateTime,
    bootImageVersion,
    String(configMapGeneration),
    image,
  ])
  const why = conditionOf(status, 'Synced')
  return [
    `${paint.bold(`${resource}.${apiGroup} ${name}`)} in ${metadata.namespace}: ${status?.sync?.decision ?? 'not looked at yet'}${why ? `, ${why.message}` : ''}`,
    rows.length === 0 ? 'No boot image of it is on record.' : table(['', 'WRITTEN', 'RELEASE', 'CONTENT', 'IMAGE'], rows, paint),
  ].join('\n')
}
