import type { Blobs } from '../ports/blobs.ts'
import type { Clock, Kube, Log, ResourceRef } from '../ports/index.ts'
import { openAges } from './ages.ts'
import { openAttempts } from './attempts.ts'
import { openCoverage } from './coverage.ts'
import { openEvidence } from './evidence.ts'
import { type BootHandler, bootHandler } from './handler.ts'
import type { KernelArgument } from './ipxe.ts'
import { openDiscs } from './iso/discs.ts'
import { openRefusals } from './refusals.ts'
import { openTally } from './tally.ts'

export interface BootServerOptions {
  readonly kube: Kube
  readonly clock: Clock
  readonly log: Log
  readonly blobs: Blobs
  /** At least 32 bytes that nobody else knows; every replica and every controller that makes tickets has the same. */
  readonly key: Uint8Array
  readonly baseUrl: string
  readonly allowUserDataByWindow?: boolean
  readonly kernelArguments?: readonly KernelArgument[]
}

/** The boot server without a socket. Put `handler` behind net's `serve`, or call it. */
export interface BootServer {
  readonly handler: BootHandler
  /** It knows what is open. */
  readonly ready: boolean
  /** Begins to watch. */
  start(): void
  stop(): Promise<void>
  /** What is being written, in words; for a clock that must not run ahead of it. */
  busy(): string | undefined
  caches(): readonly { readonly of: ResourceRef; readonly revision: string | undefined }[]
  metrics(): string
  /** Every digest that may be booted; undefined while that is not known for sure. */
  boots(): ReadonlySet<string> | undefined
}

const consoles: readonly KernelArgument[] = [
  { name: 'console', value: 'ttyS0,115200' },
  { name: 'console', value: 'tty0' },
]

export function openBootServer(options: BootServerOptions): BootServer {
  const { kube, clock, log } = options
  const tally = openTally()
  const attempts = openAttempts({ kube, clock, log })
  const evidence = openEvidence({ kube, clock, log, configuration: attempts.configuration })
  const refusals = openRefusals({ kube, clock, log, tally })
  const over = new AbortController()
  let watching: Promise<void> = Promise.resolve()
  return {
    handler: bootHandler({
      ...options,
      baseUrl: options.baseUrl.replace(/\/$/, ''),
      allowUserDataByWindow: options.allowUserDataByWindow ?? false,
      kernelArguments: options.kernelArguments ?? consoles,
      attempts,
      evidence,
      refusals,
      tally,
      ages: openAges(clock),
      coverage: openCoverage(),
      discs: openDiscs(options.blobs),
    }),
    get ready() {
      return attempts.ready
    },
    start() {
      watching = attempts.run(over.signal)
    },
    async stop() {
      evidence.stop()
      over.abort(new Error('the boot server stops'))
      await watching
    },
    busy: () => (evidence.waiting + refusals.writing > 0 ? 'the boot server writes what it saw' : undefined),
    caches: () => attempts.caches.map(({ of, revision }) => ({ of, revision })),
    metrics: () => tally.text(),
    boots: () => attempts.pinned(),
  }
}
