/** Logs the calls to carriers, and keeps records of them. See docs/carriers.md#records-of-calls. */
import type { CarrierCall } from '../operations/ports/carrier-calls.ts'

/** The part of the log of the server that carriers use. */
export type CarrierLog = Readonly<Record<'info' | 'warn', (fields: object, message: string) => void>>

/** Returns the function that logs each call and passes it to `keep`, except routine tracking. */
export function recordCalls(log: CarrierLog, keep: (call: CarrierCall) => void): (call: CarrierCall) => void {
  return (call) => {
    const { exchanges, ...about } = call
    const requests = exchanges.map(({ method, status, durationMs, carrierIds, fault }) => ({
      method,
      status,
      durationMs,
      carrierIds,
      ...(fault !== undefined && { fault }),
    }))
    log.info({ event: 'carriers.called', carrierCall: { ...about, requests } }, 'a carrier was called')
    // Tracking repeats every half hour, and no decision depends on it.
    if (call.purpose !== 'tracking') keep(call)
  }
}
