import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Millis } from '../core/duration.ts'

/** What Prometheus sees. Label values come from code (controllers, phases, fault codes), never from objects' names. */
export interface Metrics {
  reconciled(controller: string, outcome: string, took: Millis): void
  left(controller: string, phase: string, after: Millis): void
  text(): Promise<string>
}

/** Read when somebody asks. */
export interface Gauges {
  depths(): Iterable<{
    readonly controller: string
    readonly change: number
    readonly look: number
    readonly running: number
    readonly parked: number
  }>
  overstayed(): Iterable<{ readonly controller: string; readonly phase: string; readonly objects: number }>
  leads(): boolean
  lostEvents(): number
}

/** More different values than this of one label are somebody's mistake, and become "other". */
const most = 100

export function openMetrics(gauges: Gauges): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const outcomes = new Counter({
    name: 'rackwright_reconcile_total',
    help: 'Reconciles by outcome: rested, waits, acted, overtaken, or the code of the fault',
    labelNames: ['controller', 'outcome'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'rackwright_reconcile_duration_seconds',
    help: 'Time from the start of a reconcile to its end',
    labelNames: ['controller'] as const,
    buckets: [0.001, 0.01, 0.1, 1, 10, 60],
    registers,
  })
  const phases = new Histogram({
    name: 'rackwright_phase_duration_seconds',
    help: 'Time that objects spent in a phase, when they left it',
    labelNames: ['controller', 'phase'] as const,
    buckets: [1, 10, 60, 300, 900, 3_600, 14_400],
    registers,
  })
  new Gauge({
    name: 'rackwright_queue_depth',
    help: 'Objects that are due, by what asked for them, under way, or parked until a write shows',
    labelNames: ['controller', 'state'] as const,
    registers,
    collect() {
      for (const { controller, ...states } of gauges.depths())
        for (const [state, objects] of Object.entries(states)) this.set({ controller, state }, objects)
    },
  })
  new Gauge({
    name: 'rackwright_phase_overstayed',
    help: 'Objects that have been in a phase for longer than it should take',
    labelNames: ['controller', 'phase'] as const,
    registers,
    collect() {
      this.reset()
      for (const { controller, phase, objects } of gauges.overstayed()) this.set({ controller, phase }, objects)
    },
  })
  new Gauge({
    name: 'rackwright_leader',
    help: 'Whether this process is the one that acts',
    registers,
    collect() {
      this.set(gauges.leads() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'rackwright_events_lost',
    help: 'Events that could not be written',
    registers,
    collect() {
      this.set(gauges.lostEvents())
    },
  })

  const outcomeOf = bounded()
  const phaseOf = bounded()
  return {
    reconciled(controller, outcome, took) {
      outcomes.inc({ controller, outcome: outcomeOf(controller, outcome) })
      durations.observe({ controller }, took / 1_000)
    },
    left(controller, phase, after) {
      phases.observe({ controller, phase: phaseOf(controller, phase) }, after / 1_000)
    },
    text: () => registry.metrics(),
  }
}

function bounded(): (controller: string, value: string) => string {
  const seen = new Map<string, Set<string>>()
  return (controller, value) => {
    const values = seen.get(controller) ?? new Set()
    if (values.has(value)) return value
    if (values.size >= most) return 'other'
    seen.set(controller, values.add(value))
    return value
  }
}
