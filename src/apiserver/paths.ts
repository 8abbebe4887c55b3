import type { HttpResponse } from '../ports/index.ts'
import { json, text } from './answer.ts'
import { discovery } from './discovery.ts'
import type { Metrics } from './metrics.ts'
import type { OpenApi } from './openapi/documents.ts'
import type { Registry } from './registry.ts'
import type { PathHandler } from './request.ts'

/** The Kubernetes release whose API this server speaks; clients pick features by it. */
const speaks = { major: '1', minor: '36', gitVersion: 'v1.36.0+rackwright' }

export interface Health {
  /** Why the server cannot take writes just now; undefined when all is well. */
  trouble(): string | undefined
}

export function pathHandler(registry: Registry, openapi: OpenApi, metrics: Metrics, health: Health): PathHandler {
  return async (path, request, query) => {
    switch (path) {
      case '/':
        return json({ paths: ['/api', '/apis', '/healthz', '/livez', '/metrics', '/openapi/v3', '/readyz', '/version'] })
      case '/version':
        return json({
          ...speaks,
          gitCommit: '',
          gitTreeState: '',
          buildDate: '1970-01-01T00:00:00Z',
          goVersion: 'none',
          compiler: 'node',
          platform: `${process.platform}/${process.arch}`,
        })
      case '/livez':
        return text('ok')
      case '/healthz':
      case '/readyz':
        return readiness(health)
      case '/metrics':
        return { ...text(await metrics.text()), headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } }
      default:
        if (path === '/openapi/v3' || path.startsWith('/openapi/v3/')) return openapi.answer(path, query)
        return discovery(registry, path, request.headers['accept'])
    }
  }
}

function readiness(health: Health): HttpResponse {
  const trouble = health.trouble()
  return trouble === undefined ? text('ok') : text(`not ready: ${trouble}\n`, 503)
}
