/** A maintenance that wants a server, as the queue sees it. */
export interface Waiting {
  readonly namespace: string
  readonly name: string
  readonly enforced: boolean
  readonly priority: number
  /** RFC 3339, as the API stamped it. */
  readonly created: string
}

/** Whether `a` goes before `b`: by priority, then without asking before with, then by age; names only so that there is always an answer. */
export function goesBefore(a: Waiting, b: Waiting): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority
  if (a.enforced !== b.enforced) return a.enforced
  if (a.created !== b.created) return a.created < b.created
  return a.namespace === b.namespace ? a.name < b.name : a.namespace < b.namespace
}

/** Who is next. Those that may not begin yet (an owner has not agreed, an image does not boot) hold nobody up, so they are not asked here. */
export const firstOf = (waiting: readonly Waiting[]): Waiting | undefined =>
  waiting.reduce<Waiting | undefined>((best, one) => (best === undefined || goesBefore(one, best) ? one : best), undefined)
