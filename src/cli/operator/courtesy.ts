import { Fault } from '../../core/fault.ts'
import type { Role } from './roles.ts'

/** What was found of others who look after the same objects. */
export interface Neighbours {
  /** CRDs of the role that somebody else installed, with the fields that we write and they lack. */
  readonly foreign: readonly { readonly crd: string; readonly lacks: readonly string[] }[]
  /** CRDs of the role that are not there. */
  readonly missing: readonly string[]
  /** Leases of other operators that were renewed of late. */
  readonly live: readonly { readonly who: string; readonly lease: string; readonly holder: string }[]
}

/** What a process may do for a role, and why. */
export type Stance = { readonly is: 'act' | 'observe'; readonly because: string }

/** Two operators that write the same objects fight for ever. Whoever was there first keeps them, until a person says otherwise. */
export function stanceOf(role: Role, found: Neighbours, takeOver: boolean): Stance {
  if (found.missing.length > 0)
    return { is: 'observe', because: `${found.missing.join(', ')} ${verb(found.missing, 'is', 'are')} not installed` }
  const [live] = found.live
  if (live) {
    const because = `${live.who} runs here (lease ${live.lease}, held by ${live.holder})`
    if (takeOver)
      throw new Fault('operator/take-over', `Cannot take over ${role.name}: ${because}`, 'when-changed', {
        hint: `stop ${live.who} first; its lease runs out by itself`,
      })
    return { is: 'observe', because }
  }
  if (found.foreign.length === 0) return { is: 'act', because: 'nobody else looks after these objects' }
  const names = found.foreign.map(({ crd }) => crd)
  if (!takeOver) return { is: 'observe', because: `${names.join(', ')} ${verb(names, 'was', 'were')} installed by somebody else` }
  const short = found.foreign.filter(({ lacks }) => lacks.length > 0)
  if (short.length === 0) return { is: 'act', because: `taken over with --take-over=${role.name}` }
  const lacking = short.map(({ crd, lacks }) => `${crd} lacks ${lacks.join(', ')}`).join('; ')
  throw new Fault('operator/take-over', `Cannot take over ${role.name}: ${lacking}`, 'when-changed', {
    hint: `install the CRDs of this version first: rackwright crds ${role.name} | kubectl apply --server-side --force-conflicts -f -`,
  })
}

const verb = (of: readonly unknown[], one: string, many: string): string => (of.length === 1 ? one : many)
