import type { Handler as NetHandler } from '../../net/exchange.ts'
import type { HttpRequest, HttpResponse, User } from '../../ports/index.ts'
import type { Authenticate } from './authenticate.ts'
import { impersonate } from './impersonate.ts'
import type { Rbac } from './rbac.ts'

/** What stands between the sockets and the API: finds out who asks, then hands over. The API refuses nobody-in-particular itself. */
export function edge(
  authenticate: Authenticate,
  rbac: Rbac,
  handle: (request: HttpRequest, user: User | undefined) => Promise<HttpResponse>,
): NetHandler {
  return async (request, peer) => {
    const sender = await authenticate(request, peer)
    return handle(request, sender && impersonate(rbac, sender, request))
  }
}
