/** Validity of dated rows: half-open, from the first day until the day before the last. Days are UTC. */

/** When a row holds; what is absent or null is open. Dates are 'YYYY-MM-DD', which sort as text. */
export type Validity = { readonly validFrom: string | null; readonly validTo?: string | null }

/** True when the row holds on that day. */
export function isInForce({ validFrom, validTo }: Validity, date: string): boolean {
  return (validFrom === null || validFrom <= date) && (validTo == null || date < validTo)
}
