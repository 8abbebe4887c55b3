import { ApiError } from '../../api/status.ts'
import type { Api } from '../call.ts'

/** Reads `resourceVersion` of a list or watch: undefined means "whatever is newest". */
export function readRevision(query: URLSearchParams): number | undefined {
  const text = query.get('resourceVersion')
  if (text === null || text === '') return undefined
  if (!/^\d{1,15}$/.test(text))
    throw new ApiError('BadRequest', `Cannot read resourceVersion: "${text}" is not one of this server's revisions`)
  return Number(text)
}

/**
 * The past revision that a list must show, or undefined for the newest state. The cache is always complete and newest,
 * so "not older than" holds by itself; only `Exact`, and a revision that has not happened yet, need care.
 */
export function wantedRevision(api: Api, query: URLSearchParams): number | undefined {
  const revision = readRevision(query)
  const match = query.get('resourceVersionMatch')
  if (revision !== undefined && revision > api.world.revision) throw tooLarge(revision, api.world.revision)
  return match === 'Exact' ? revision : undefined
}

export const tooLarge = (asked: number, current: number): ApiError =>
  new ApiError('Timeout', `Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
