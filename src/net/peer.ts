import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { CertificateNames } from './certificate-names.ts'

/** Who is at the other end of a connection. */
export interface Peer {
  readonly address: string
  /** Only a certificate that our authority signed for clients. */
  readonly certificate?: PeerCertificate
}

export interface PeerCertificate extends CertificateNames {
  /** SHA-256 over the certificate, in hex. */
  readonly fingerprint: string
}

/** Finds the peer of a socket; a certificate is read once per connection. */
export function peers(read: ((der: Uint8Array) => CertificateNames) | undefined): (socket: Socket) => Peer {
  const known = new WeakMap<Socket, Peer>()
  return socket => {
    const before = known.get(socket)
    if (before) return before
    const certificate = read && certificateOf(socket, read)
    const peer = { address: socket.remoteAddress ?? '', ...(certificate ? { certificate } : {}) }
    known.set(socket, peer)
    return peer
  }
}

function certificateOf(socket: Socket, read: (der: Uint8Array) => CertificateNames): PeerCertificate | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined
  const der = socket.getPeerCertificate().raw as Buffer | undefined
  return der && { ...read(der), fingerprint: createHash('sha256').update(der).digest('hex') }
}
