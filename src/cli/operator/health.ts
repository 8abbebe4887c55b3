import type { Handler } from '../../net/exchange.ts'
import type { HttpResponse } from '../../ports/index.ts'

/** What a process says about itself to those who keep it. */
export interface SelfReport {
  /** Everything that is not as it should be, in sentences; none where it is ready. */
  unready(): readonly string[]
  metrics(): Promise<string>
}

const text = (status: number, body: string, type = 'text/plain; charset=utf-8'): HttpResponse => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(`${body}\n`),
})

/** `/healthz` while it runs, `/readyz` when it can do its work, `/metrics` for Prometheus. Plain HTTP, nothing secret. */
export const healthHandler =
  (report: SelfReport): Handler =>
  async ({ method, url }) => {
    if (method !== 'GET' && method !== 'HEAD') return text(405, 'Only GET.')
    const path = url.split('?', 1)[0]
    if (path === '/healthz' || path === '/livez') return text(200, 'ok')
    if (path === '/metrics') return text(200, (await report.metrics()).trimEnd(), 'text/plain; version=0.0.4; charset=utf-8')
    if (path !== '/readyz') return text(404, 'There is /healthz, /readyz and /metrics.')
    const because = report.unready()
    return because.length === 0 ? text(200, 'ok') : text(503, because.join('\n'))
  }
