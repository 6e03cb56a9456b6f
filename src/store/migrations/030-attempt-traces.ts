/** The span of the request that opened an attempt. See docs/operations.md#traces. */
export const ATTEMPT_TRACES = [
  // As in the header `traceparent`; null without traces.
  'ALTER TABLE cancel_attempt ADD COLUMN trace_parent text',
]
