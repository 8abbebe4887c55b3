import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { CertificateNames } from './certificate-names.ts'

/** Who is at the other end of a connection. */
export interface Peer {
  readonly address: string
  /** Which of our own addresses and ports was called; one listener may stand for many devices. */
  readonly local?: string
  readonly localPort?: number
  /** Only a certificate that our authority signed for clients. */
  readonly certificate?: PeerCertificate
}

interface PeerCertificate extends CertificateNames {
  /** SHA-256 over the certificate, in hex. */
  readonly fingerprint: string
}

type Read = (der: Uint8Array) => Promise<CertificateNames>

/** Finds the peer of a socket; a certificate is read once per connection. */
export function peers(read: Read | undefined): (socket: Socket) => Promise<Peer> {
  const known = new WeakMap<Socket, Promise<Peer>>()
  return socket => {
    const before = known.get(socket)
    if (before) return before
    const peer = peerOf(socket, read)
    known.set(socket, peer)
    return peer
  }
}

async function peerOf(socket: Socket, read: Read | undefined): Promise<Peer> {
  const ends = { address: socket.remoteAddress ?? '', local: socket.localAddress ?? '', localPort: socket.localPort ?? 0 }
  if (!read || !(socket instanceof TLSSocket) || !socket.authorized) return ends
  const der = socket.getPeerCertificate().raw as Buffer | undefined
  if (!der) return ends
  return { ...ends, certificate: { ...(await read(der)), fingerprint: createHash('sha256').update(der).digest('hex') } }
}
