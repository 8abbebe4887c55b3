import { type HttpTransport, httpTransport } from '../net/client.ts'
import type { Clock, HttpRequest, HttpResponse } from '../ports/index.ts'
import { wholeBody } from './exchange.ts'
import { gate } from './gate.ts'
import type { Connection } from './kubeconfig/connection.ts'
import { type Credential, credentialsFor } from './kubeconfig/credentials.ts'

/** Every request in flight has a connection of its own; a thousand at once would only get in each other's way. Watches do not count. */
const atOnce = 32
const watches = /[?&]watch=(1|true)(&|$)/

/** A transport to the server of a connection. Credentials that change are taken up as they do; a 401 asks for new ones once. */
export function connect(connection: Connection, clock: Clock): HttpTransport {
  const { server, tls, login, impersonation } = connection
  const credentials = credentialsFor(login, clock)
  let carrier = httpTransport({ baseUrl: server, tls })
  let shown: Credential['certificate']

  const carry = ({ certificate }: Credential): HttpTransport => {
    if (certificate?.certificate === shown?.certificate) return carrier
    // A new client certificate needs new connections; watches on the old ones are cut, and resume.
    void carrier.close().catch(() => {})
    shown = certificate
    carrier = httpTransport({ baseUrl: server, tls: { ...tls, ...certificate } })
    return carrier
  }
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    const credential = await credentials.current()
    return carry(credential)({ ...request, headers: { ...request.headers, ...impersonation, ...credential.headers } })
  }
  const sendTwice = async (request: HttpRequest): Promise<HttpResponse> => {
    const response = await send(request)
    if (response.status !== 401 || !credentials.refused()) return response
    await wholeBody(response.body)
    return send(request)
  }
  const pass = gate(atOnce)
  const transport = (request: HttpRequest): Promise<HttpResponse> => {
    if (watches.test(request.url)) return sendTwice(request)
    return pass(async () => {
      const response = await sendTwice(request)
      return { ...response, body: await wholeBody(response.body) }
    })
  }
  return Object.assign(transport, { close: () => carrier.close() })
}
