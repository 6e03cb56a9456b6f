/** What `exchange` notes about each request of a call, before redaction. */
import type { CarrierExchange } from '../operations/ports/carrier-calls.ts'

/** One request and its reply as they were, with credentials: only for the record of the call (redaction.ts). */
export type SentExchange = Omit<CarrierExchange, 'request' | 'reply'> & {
  /** The values of the headers that may contain credentials. */
  readonly headerValues: readonly string[]
  /** The reply is a page for people (`text/html`). */
  readonly isPage?: boolean
  readonly requestBody?: string | object | undefined
  /** The parsed JSON, or the text of a body that is not JSON or too long for a record. Undefined without a body. */
  readonly reply?: unknown
}
