import { ApiError } from '../api/status.ts'
import { type Millis, seconds } from '../core/duration.ts'
import { printInstant } from '../core/instant.ts'
import type { KubeObject } from '../core/object.ts'
import type { Clock, Kube, Log, ResourceRef } from '../ports/index.ts'
import type { LeaseOptions } from './controllers.ts'
import { openDeadlines } from './deadline.ts'
import { type Leader, notLeader } from './leader.ts'

interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string
    readonly leaseDurationSeconds?: number
    readonly leaseTransitions?: number
    readonly acquireTime?: string
    readonly renewTime?: string
  }
}

const leases: ResourceRef<Lease> = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true }

/** Until when our lease holds: by the clock that never jumps, and by the one that also runs while the machine sleeps. */
interface Term {
  readonly from: Millis
  readonly fromWall: number
}

/**
 * Leadership by a Lease. It counts from before the request that renewed it was sent, a third less long than the others wait, and by two
 * clocks: whichever says first that it is over is right. What others write is timed from when we first saw it, never by their clocks.
 */
export function leaseLeader(
  ports: { readonly kube: Kube; readonly clock: Clock; readonly log: Log; readonly identity: string },
  options: LeaseOptions,
): Leader {
  const { kube, clock, log, identity } = ports
  const duration = options.duration ?? seconds(12)
  const valid = (duration * 2) / 3
  const every = duration / 6
  const key = { namespace: options.namespace, name: options.name }
  const listeners: ((holds: boolean) => void)[] = []
  const over = new AbortController()
  // An answer that does not come must not keep us from asking again while there is time.
  const deadlines = openDeadlines(clock, every * 2)
  let term: Term | undefined
  let expire = (): void => {}
  /** The lease as we wrote it last: whoever holds it need not ask before renewing. */
  let ours: Lease | undefined
  let known: { readonly lease: Lease; readonly since: Millis } | undefined
  let writing = 0
  let ended: Promise<void> = Promise.resolve()

  const proven = ({ from, fromWall }: Term): boolean => {
    const wall = clock.now() - fromWall
    return clock.elapsed() - from < valid && wall >= 0 && wall < valid
  }

  /** A proof that is lost once is lost until the next renewal, even if a clock comes round again: what was dropped meanwhile is not forgotten. */
  function holds(): boolean {
    if (term && !proven(term)) turn(undefined, 'it cannot be proved any longer')
    return term !== undefined
  }

  function turn(to: Term | undefined, because: string): void {
    const before = to ? holds() : term !== undefined
    term = to
    expire()
    expire = to
      ? clock.after(Math.max(0, to.from + valid - clock.elapsed()), () => turn(undefined, 'it was not renewed in time'))
      : () => {}
    if (before === (to !== undefined)) return
    log.info(to ? 'This process leads' : 'This process does not lead any longer', { lease: options.name, identity, because })
    for (const listener of listeners) listener(to !== undefined)
  }

  /** One try to get or keep the lease. */
  async function attempt(signal: AbortSignal): Promise<void> {
    const start: Term = { from: clock.elapsed(), fromWall: clock.now() }
    const lease = ours ?? (await kube.find(leases, key, { signal }))
    ours = undefined
    if (!lease) {
      ours = await kube.create(
        leases,
        { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: key, spec: specOf(undefined) },
        { signal },
      )
      if (!signal.aborted) turn(start, 'there was no lease')
      return
    }
    if (known?.lease.metadata.resourceVersion !== lease.metadata.resourceVersion) known = { lease, since: clock.elapsed() }
    const holder = lease.spec?.holderIdentity
    const theirs = seconds(lease.spec?.leaseDurationSeconds ?? duration / 1_000)
    if (holder !== undefined && holder !== identity && clock.elapsed() - known!.since < theirs) {
      return turn(undefined, `${holder} has the lease`)
    }
    const metadata = { resourceVersion: lease.metadata.resourceVersion }
    ours = await kube.patch(leases, key, { merge: { metadata, spec: specOf(lease) } }, { signal })
    if (!signal.aborted) turn(start, holder === identity ? 'it was renewed' : `${holder ?? 'nobody'} had it and let it go`)
  }

  const specOf = (lease: Lease | undefined) => {
    const renewed = lease?.spec?.holderIdentity === identity
    const now = printInstant(clock.now(), 'micro')
    return {
      holderIdentity: identity,
      leaseDurationSeconds: Math.ceil(duration / 1_000),
      renewTime: now,
      ...(renewed ? {} : { acquireTime: now, leaseTransitions: lease ? (lease.spec?.leaseTransitions ?? 0) + 1 : 0 }),
    }
  }

  async function run(): Promise<void> {
    while (!over.signal.aborted) {
      writing++
      try {
        await deadlines.run('Cannot renew the lease', attempt)
      } catch (error) {
        if (over.signal.aborted) return
        // Somebody was quicker, which the next look will show; what we hold, we hold until it runs out.
        if (!ApiError.is(error, 'Conflict') && !ApiError.is(error, 'AlreadyExists'))
          log.warn('Cannot renew the lease', { lease: options.name, because: error instanceof Error ? error.message : String(error) })
      } finally {
        writing--
      }
      await clock.sleep(every, over.signal).catch(() => {})
    }
  }

  async function letGo(): Promise<void> {
    const lease = await kube.find(leases, key)
    if (lease?.spec?.holderIdentity !== identity) return
    const metadata = { resourceVersion: lease.metadata.resourceVersion }
    await kube.patch(leases, key, { merge: { metadata, spec: { holderIdentity: null, leaseDurationSeconds: 1 } } })
  }

  return {
    get holds() {
      return holds()
    },
    check() {
      if (!holds())
        throw notLeader(`${identity} does not hold the lease ${options.namespace}/${options.name}, or cannot prove that it does`)
    },
    get writing() {
      return writing
    },
    onTurn: listener => listeners.push(listener),
    start() {
      ended = run()
    },
    async stop() {
      over.abort(new Error('the process stops'))
      deadlines.stop(new Error('the process stops'))
      await ended
      const held = term !== undefined
      turn(undefined, 'the process stops')
      if (held) await letGo().catch(error => log.warn('Cannot release the lease', { because: String(error) }))
    },
  }
}
