/** A refusal as Kubernetes spells it (metav1.Status). Thrown by the API server, rebuilt by the client. */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: { readonly remainingItemCount?: number; readonly continue?: string; readonly resourceVersion?: string }
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly code: number
  readonly details?: StatusDetails
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly Cause[]
  readonly retryAfterSeconds?: number
}

/** One field that is wrong: `field` is its path, `reason` one of Kubernetes' FieldValue… words. */
export interface Cause {
  readonly reason: string
  readonly message: string
  readonly field?: string
}

const reasons = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const
export type Reason = keyof typeof reasons

export class ApiError extends Error {
  readonly reason: string
  readonly code: number
  readonly details: StatusDetails | undefined

  constructor(reason: Reason | (string & {}), message: string, details?: StatusDetails, code?: number) {
    super(message)
    this.name = 'ApiError'
    this.reason = reason
    this.code = code ?? (Object.hasOwn(reasons, reason) ? reasons[reason as Reason] : 500)
    this.details = details
  }

  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details ? { details: this.details } : {}),
      code: this.code,
    }
  }

  static is(error: unknown, reason: Reason): error is ApiError {
    return error instanceof ApiError && error.reason === reason
  }
}
