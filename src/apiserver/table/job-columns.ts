import type { Instant } from '../../core/duration.ts'
import { parseInstant } from '../../core/instant.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import { spanText } from './age.ts'
import { ageColumn, column, nameColumn, type TableColumn } from './column.ts'

const fields = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
const number = (value: unknown): number => (typeof value === 'number' ? value : 0)
const time = (value: unknown): Instant | undefined => (typeof value === 'string' ? parseInstant(value) : undefined)

function state(job: KubeObject): string {
  const { conditions } = fields(job['status'])
  const holds = (type: string) =>
    Array.isArray(conditions) && conditions.some(c => isObject(c) && c['type'] === type && c['status'] === 'True')
  if (holds('Complete')) return 'Complete'
  if (holds('Failed')) return 'Failed'
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating'
  if (holds('Suspended')) return 'Suspended'
  if (holds('FailureTarget')) return 'FailureTarget'
  if (holds('SuccessCriteriaMet')) return 'SuccessCriteriaMet'
  return 'Running'
}

function completions(job: KubeObject): string {
  const { completions: wanted, parallelism } = fields(job['spec'])
  const done = number(fields(job['status'])['succeeded'])
  if (typeof wanted === 'number') return `${done}/${wanted}`
  return number(parallelism) > 1 ? `${done}/1 of ${number(parallelism)}` : `${done}/1`
}

function duration(job: KubeObject, now: Instant): string {
  const { startTime, completionTime } = fields(job['status'])
  const start = time(startTime)
  return start === undefined ? '' : spanText((time(completionTime) ?? now) - start)
}

function containers(job: KubeObject, field: 'name' | 'image'): string {
  const pod = fields(fields(fields(job['spec'])['template'])['spec'])
  const list = Array.isArray(pod['containers']) ? pod['containers'].filter(isObject) : []
  return list.map(container => String(container[field] ?? '')).join(',')
}

function selector(job: KubeObject): string {
  const { matchLabels } = fields(fields(job['spec'])['selector'])
  const pairs = Object.entries(fields(matchLabels)).map(([key, value]) => `${key}=${String(value)}`)
  return pairs.length > 0 ? pairs.join(',') : '<none>'
}

export const jobColumns: readonly TableColumn[] = [
  nameColumn,
  column('Status', 'string', state),
  column('Completions', 'string', completions),
  column('Duration', 'string', duration),
  ageColumn,
  column('Containers', 'string', job => containers(job, 'name'), { priority: 1 }),
  column('Images', 'string', job => containers(job, 'image'), { priority: 1 }),
  column('Selector', 'string', selector, { priority: 1 }),
]
