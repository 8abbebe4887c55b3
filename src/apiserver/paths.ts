import type { HttpResponse } from '../ports/index.ts'
import { json, text } from './answer.ts'
import { discovery } from './discovery.ts'
import type { Metrics } from './metrics.ts'
import type { OpenApi } from './openapi/documents.ts'
import type { Registry } from './registry.ts'
import type { PathHandler } from './request.ts'

/** The Kubernetes release whose API this server speaks; clients pick features by it. */
const speaks = { major: '1', minor: '36', gitVersion: 'v1.36.0+rackwright' }

/** What those who check ServiceAccount tokens themselves need to know. */
export interface Issuer {
  readonly issuer: string
  keys(): object
}

export interface Health {
  /** Why the server cannot take writes just now; undefined when all is well. */
  trouble(): string | undefined
}

export function pathHandler(
  registry: Registry,
  openapi: OpenApi,
  metrics: Metrics,
  health: Health,
  issuer: Issuer | undefined,
): PathHandler {
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
      case '/openid/v1/jwks':
        return issuer && json(issuer.keys(), 200, { 'content-type': 'application/jwk-set+json' })
      case '/.well-known/openid-configuration':
        return issuer && json(openIdConfiguration(issuer))
      default:
        if (path === '/openapi/v3' || path.startsWith('/openapi/v3/')) return openapi.answer(path, query)
        return discovery(registry, path, request.headers['accept'])
    }
  }
}

const openIdConfiguration = ({ issuer }: Issuer) => ({
  issuer,
  jwks_uri: `${issuer}/openid/v1/jwks`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
})

function readiness(health: Health): HttpResponse {
  const trouble = health.trouble()
  return trouble === undefined ? text('ok') : text(`not ready: ${trouble}\n`, 503)
}
