import { stringify } from 'yaml'
import type { Instant } from '../../core/duration.ts'
import { isObject } from '../../core/json.ts'
import type { KubeObject } from '../../core/object.ts'
import type { Told } from '../events.ts'
import { since } from './age.ts'
import { type Paint, paintState } from './paint.ts'
import { table } from './table.ts'

/** An object for people: what is wanted, what is, its conditions and what was told about it. */
export function described(object: KubeObject, events: readonly Told[], now: Instant, paint: Paint): string {
  const { metadata, spec } = object
  const status: Readonly<Record<string, unknown>> = isObject(object['status']) ? object['status'] : {}
  const { conditions, ...rest } = status
  const name = metadata.namespace === undefined ? metadata.name : `${metadata.namespace}/${metadata.name}`
  const part = (title: string, value: unknown): string =>
    `${paint.bold(title)}\n${stringify(value, { lineWidth: 0 }).trimEnd().replace(/^/gm, '  ')}`
  return [
    `${paint.bold(object.kind)} ${name}, made ${since(metadata.creationTimestamp, now)} ago`,
    ...(metadata.labels ? [part('Labels', metadata.labels)] : []),
    ...(metadata.annotations ? [part('Annotations', metadata.annotations)] : []),
    part('Wanted', spec ?? {}),
    ...(Object.keys(rest).length > 0 ? [part('Seen', rest)] : []),
    ...(Array.isArray(conditions) && conditions.length > 0 ? [conditionTable(conditions.filter(isObject), now, paint)] : []),
    eventTable(events, now, paint),
  ].join('\n')
}

function conditionTable(conditions: readonly Readonly<Record<string, unknown>>[], now: Instant, paint: Paint): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  const rows = conditions.map(({ type, status, reason, message, lastTransitionTime }) => [
    text(type),
    paintState(paint, text(status)),
    text(reason),
    since(text(lastTransitionTime), now),
    text(message),
  ])
  return table(['CONDITION', 'IS', 'REASON', 'FOR', 'MESSAGE'], rows, paint)
}

function eventTable(events: readonly Told[], now: Instant, paint: Paint): string {
  if (events.length === 0) return paint.dim('Nothing was told about it lately.')
  const rows = events.map(({ at, type, reason, message, times }) => [
    since(at, now),
    type === 'Warning' ? paint.yellow(type) : type,
    reason,
    times > 1 ? `${message} (${times} times)` : message,
  ])
  return table(['AGO', 'TYPE', 'REASON', 'MESSAGE'], rows, paint)
}
