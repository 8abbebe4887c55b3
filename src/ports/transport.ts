/** One HTTP exchange as plain data, so that a handler can be called with or without a socket. */
export interface HttpRequest {
  readonly method: string
  /** Path with query string, percent-encoded as on the wire. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly signal?: AbortSignal
  /** In-process callers may take the server's own frozen parse instead of bytes (see HttpResponse.shared). */
  readonly shares?: true
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Whole, or as it comes (watches). */
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
  /** Set instead of `body` when the request `shares`: an object or list, or for a watch the batches of its events. */
  readonly shared?: { readonly object: unknown } | { readonly events: AsyncIterable<readonly WatchEvent[]> }
}

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: unknown
}

/** Carries a request to an API server: over TLS, or straight into the embedded one's handlers. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>
