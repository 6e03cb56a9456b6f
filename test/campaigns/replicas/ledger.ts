/** The carrier's own record of cancellations, with which a campaign compares the answers and the database. */
import type { SandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'

export type Ledger = {
  readonly carrier: SandboxCarrier
  /** The idempotency keys of all requests to cancel a parcel. Each attempt has its own. */
  keysOf(carrierRef: string): ReadonlySet<string>
}

/** Records the requests to cancel before the carrier handles them. */
export function keepLedger(carrier: SandboxCarrier): Ledger {
  const keys = new Map<string, Set<string>>()
  const keysOf = (carrierRef: string): Set<string> => {
    const known = keys.get(carrierRef) ?? new Set()
    keys.set(carrierRef, known)
    return known
  }
  return {
    keysOf,
    carrier: {
      ...carrier,
      answer(request, signal) {
        const [, carrierRef] = /^\/parcels\/([^/]+)\/cancel$/.exec(request.path) ?? []
        if (carrierRef !== undefined) keysOf(carrierRef).add(String(request.headers['idempotency-key']))
        return carrier.answer(request, signal)
      },
    },
  }
}
