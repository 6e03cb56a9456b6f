/** Failures of requests. Expected outcomes, such as invalid input, are not failures: they are part of the result. */

/** The codes of the API. See "Errors" in the documentation of the GraphQL API. */
export type ApiErrorCode =
  | 'UNAUTHENTICATED'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'OPERATION_TOO_LARGE'
  | 'BAD_USER_INPUT'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'BAD_REQUEST'
  | 'METHOD_NOT_ALLOWED'
  | 'BODY_TOO_LARGE'
  | 'TOO_MANY_HEADERS'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'OVERLOADED'
  | 'SERVICE_UNAVAILABLE'
  | 'RESULT_UNAVAILABLE'
  | 'SHIPMENT_ARCHIVED'
  | 'DEADLINE_EXCEEDED'
  | 'INTERNAL_SERVER_ERROR'

/** The codes of failures that this package detects. */
export type TransportErrorCode =
  /** No response: no connection, a name that does not resolve, a redirect, or a refusal of the browser. */
  | 'NETWORK_ERROR'
  /** No complete response within `timeoutMs`. The service may have processed the request. */
  | 'TIMEOUT'
  /** A response that is not from the GraphQL API, for example an error page of a proxy. See `status`. */
  | 'HTTP_ERROR'
  /** A response with status 200 that is not a GraphQL response. */
  | 'INVALID_RESPONSE'

/** Any other text is a code that is newer than this version of the package. */
export type WaybillErrorCode = ApiErrorCode | TransportErrorCode | (string & {})

/** An entry of the list `errors` of a response. */
export type GraphQLResponseError = {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly extensions?: Readonly<Record<string, unknown>>
}

export type WaybillErrorDetails = {
  readonly code: WaybillErrorCode
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly errors?: readonly GraphQLResponseError[]
  readonly data?: unknown
  readonly cause?: unknown
}

/** Thrown by `request`. */
export class WaybillError extends Error {
  override readonly name = 'WaybillError'
  readonly code: WaybillErrorCode
  /** The HTTP status. Undefined if there was no response. */
  readonly status: number | undefined
  /** Identifies the request in the log of the service. Undefined if the service did not respond. */
  readonly requestId: string | undefined
  /** When to repeat the request, in seconds from now. Undefined if the service gave no time. */
  readonly retryAfterSeconds: number | undefined
  /** The list `errors` of the response. Empty if the response is not from the GraphQL API. */
  readonly errors: readonly GraphQLResponseError[]
  /** The part of the result that could be computed. Usually undefined or null. */
  readonly data: unknown

  constructor(message: string, details: WaybillErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code
    this.status = details.status
    this.requestId = details.requestId
    this.retryAfterSeconds = details.retryAfterSeconds
    this.errors = details.errors ?? []
    this.data = details.data
  }
}
