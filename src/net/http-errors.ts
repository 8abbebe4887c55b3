import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../api/status.ts'
import type { HttpResponse } from '../ports/index.ts'

const encoder = new TextEncoder()

export function refusal(error: ApiError): HttpResponse {
  return { status: error.code, headers: { 'content-type': 'application/json' }, body: encoder.encode(JSON.stringify(error.toStatus())) }
}

/** What Fastify refused before any handler ran, as a Status. Undefined where the fault is ours. */
export function frameworkRefusal(error: {
  readonly statusCode?: number
  readonly code?: string
  readonly message: string
}): ApiError | undefined {
  const code = error.statusCode ?? 500
  if (code >= 500) return undefined
  if (code === 413) return new ApiError('RequestEntityTooLarge', 'Cannot take the body: it is larger than 3 MiB')
  if (code === 415) return new ApiError('UnsupportedMediaType', 'Cannot read the body: its content type is malformed')
  return new ApiError('BadRequest', `Cannot read the request: ${error.message}`, undefined, code)
}

/** Answers what was not even HTTP (or came too slowly), then closes the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy()
    return
  }
  const found = clientRefusal(error.code)
  const body = JSON.stringify(found.toStatus())
  socket.end(
    `HTTP/1.1 ${found.code} ${STATUS_CODES[found.code] ?? ''}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

function clientRefusal(code: string | undefined): ApiError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('Timeout', 'Cannot wait any longer for the request: it comes in too slowly', undefined, 408)
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('BadRequest', 'Cannot read the request: its headers are too large', undefined, 431)
    default:
      return new ApiError('BadRequest', 'Cannot read the request: it is not HTTP/1.1')
  }
}
