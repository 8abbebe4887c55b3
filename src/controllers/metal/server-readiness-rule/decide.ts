import { isFalse, isTrue } from '../../../core/condition.ts'
import { seconds } from '../../../core/duration.ts'
import { act, idle, type Plan, type Release, release } from '../../../core/plan.ts'
import type { Due } from '../../../policy/readiness/rule.ts'

export interface Seen {
  readonly name: string
  readonly deleting: boolean
  readonly taint: string
  readonly notReady: number
  /** Where something has to be done. */
  readonly due: readonly { readonly server: string; readonly what: Due }[]
}

export type Verb = { readonly do: 'mark'; readonly server: string; readonly what: Due } | Release

/** So many servers at a time: a rule over a large fleet does not keep everything else waiting. */
const most = 50

/** Puts its taint on servers that are not ready, and takes it off those that are. */
export function decide({ name, deleting, taint, notReady, due }: Seen): Plan<Verb> {
  const actions = due.slice(0, most).map(({ server, what }): Verb => ({ do: 'mark', server, what }))
  if (deleting)
    return actions.length > 0
      ? act(`${name} goes: takes ${taint} off ${due.length} servers`, actions, { again: seconds(1) })
      : act('no server bears its taint any more', [release])
  const because =
    notReady === 0
      ? 'all its servers are ready'
      : `${notReady} ${notReady === 1 ? 'server is' : 'servers are'} not ready and kept from claims by ${taint}`
  const status = {
    notReady,
    conditions: [notReady === 0 ? isTrue('Ready', 'ServersReady', because) : isFalse('Ready', 'ServersNotReady', because)],
  }
  return actions.length > 0 ? act(because, actions, { status }) : idle(because, { status })
}
