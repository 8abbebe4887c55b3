import { isObject } from '../../core/json.ts'
import { reach } from './reach.ts'
import type { Stream } from './stream.ts'

/** What shows that the control plane has begun to run the new release. */
export interface ControlPlane {
  /** The pool of control-plane machines, where there is one: how many run the configuration that it wants. */
  readonly pool: { readonly wanted: string; readonly current: string; readonly updated: number; readonly updating: boolean } | undefined
  /** The operating systems of control-plane Nodes that are Ready. */
  readonly readySystems: readonly string[]
}

export type Evidence = { readonly shown: true } | { readonly shown: false; readonly because: string }

/** The stamp is put on only after one control-plane machine runs the new system: never near the end of an upgrade that has not begun there. */
export function controlPlaneEvidence({ pool, readySystems }: ControlPlane, stream: Stream): Evidence {
  if (pool) {
    const some = pool.updating && pool.updated > 0
    const all = !pool.updating && pool.wanted === pool.current
    return some || all ? { shown: true } : { shown: false, because: 'no machine of pool master runs the new configuration yet' }
  }
  const releases = releasesOf(stream)
  if (readySystems.some(system => releases.some(release => system.includes(release)))) return { shown: true }
  return { shown: false, because: 'no control-plane Node that is Ready runs a system of this stream' }
}

/** Every release that a stream names anywhere. */
export function releasesOf({ architectures }: Stream): readonly string[] {
  const found = new Set<string>()
  const walk = (value: unknown, depth: number): void => {
    if (!isObject(value) || depth > 6) return
    const release = reach(value, 'release')
    if (typeof release === 'string' && release !== '') found.add(release)
    for (const inner of Object.values(value)) walk(inner, depth + 1)
  }
  walk(architectures, 0)
  return [...found]
}
