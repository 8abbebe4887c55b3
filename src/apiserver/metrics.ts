import { Counter, Gauge, Histogram, Registry as Prometheus } from 'prom-client'
import type { RequestInfo } from './request.ts'
import type { World } from './world/world.ts'

export interface Metrics {
  request(info: RequestInfo | undefined, status: number, millis: number): void
  text(): Promise<string>
}

/** Label values come from a bounded set: resources that are served, verbs, status codes. Never from a URL. */
export function openMetrics(world: World, isServed: (info: RequestInfo) => boolean): Metrics {
  const registers = [new Prometheus()]
  const requests = new Counter({
    name: 'apiserver_request_total',
    help: 'Requests by verb, resource and status code',
    labelNames: ['verb', 'group', 'resource', 'code'],
    registers,
  })
  const duration = new Histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'Time until the answer began, by verb; watches are left out',
    labelNames: ['verb'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 30],
    registers,
  })
  new Gauge({
    name: 'apiserver_storage_revision',
    help: 'The newest revision that is durable and visible',
    registers,
    collect() {
      this.set(world.revision)
    },
  })
  return {
    request(info, status, millis) {
      const known = info?.kind === 'resource' && isServed(info)
      const verb = info?.verb ?? 'unknown'
      requests.inc({
        verb: known || info?.kind === 'path' ? verb : 'unknown',
        group: known ? info.group : '',
        resource: known ? info.plural : '',
        code: String(status),
      })
      if (verb !== 'watch' && known) duration.observe({ verb }, millis / 1000)
    },
    text: () => (registers[0] as Prometheus).metrics(),
  }
}
