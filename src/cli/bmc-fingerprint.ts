import { createHash, X509Certificate } from 'node:crypto'
import { connect } from 'node:tls'
import { Fault } from '../core/fault.ts'

export interface ShownCertificate {
  /** SHA-256, in pairs with colons. */
  readonly fingerprint: string
  readonly subject: string
  readonly issuer: string
  readonly until: string
}

const patience = 10_000

/** What a device shows when it is called, taken without trusting it: for a person to compare. Nothing is sent. */
export function shownCertificate(host: string, port: number): Promise<ShownCertificate> {
  return new Promise((resolve, reject) => {
    const fail = (because: string, cause?: unknown): void => {
      socket.destroy()
      const hint = `check the address, and that port ${port} is reachable from here`
      reject(new Fault('bmc/unreachable', `Cannot see the certificate of ${host}:${port}: ${because}`, 'backoff', { hint, cause }))
    }
    const name = /^[\d.:]+$/.test(host) ? {} : { servername: host }
    const socket = connect({ host, port, rejectUnauthorized: false, ...name }, () => {
      const { raw } = socket.getPeerCertificate()
      socket.destroy()
      if (!raw) {
        fail('it shows none')
        return
      }
      const { subject, issuer, validTo } = new X509Certificate(raw)
      const hex = createHash('sha256').update(raw).digest('hex').toUpperCase()
      const line = (text: string): string => text.replaceAll('\n', ', ')
      resolve({ fingerprint: (hex.match(/../g) ?? []).join(':'), subject: line(subject), issuer: line(issuer), until: validTo })
    })
    socket.setTimeout(patience, () => fail('nobody answers within ten seconds'))
    socket.once('error', error => fail(error.message, error))
  })
}
