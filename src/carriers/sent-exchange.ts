/** One request and its reply as they were, with credentials: only for the record of the call (redaction.ts). */
export type SentExchange = {
  readonly method: string
  readonly url: string
  readonly durationMs: number
  /** Null if there was no reply. */
  readonly status: number | null
  readonly fault?: string
  readonly carrierIds: Readonly<Record<string, string>>
  /** The values of the headers that may contain credentials. */
  readonly headerValues: readonly string[]
  readonly requestBody?: string | object | undefined
  /** The parsed JSON, or the text of another body. Undefined without a body, or if it is too long. */
  readonly reply?: unknown
}
