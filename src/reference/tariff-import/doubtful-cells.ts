/**
 * What can be read, but will hardly be meant: currencies, countries and taxes that nobody has. Decided here: each is a
 * warning at its row and column, since an operator may know of one that we do not.
 */
import type { MeasureRow } from '../../core/customs/reference/measure-rows.ts'
import { isCountryCode } from '../../core/place.ts'
import type { FaultLog } from '../import-fault.ts'

/** What the customs data have already that rows of a file may name. */
export type KnownNames = {
  /** Origin groups, and jurisdictions, which may be origins too. */
  readonly origins: ReadonlySet<string>
  /** "DE VAT": taxes by the jurisdiction they are of, or whose rates they apply. */
  readonly taxes: ReadonlySet<string>
}

type Amounts = Pick<MeasureRow, 'specific' | 'minimum' | 'maximum'>

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Warns of a currency that is none. Amounts are in Waybill's own form: "9 EUR/100 kg". */
export function warnOfCurrency(log: FaultLog, row: number, column: string | undefined, duty: Amounts): void {
  for (const amounts of [duty.specific, duty.minimum, duty.maximum])
    for (const [, currency = ''] of amounts.matchAll(/\d ([A-Z]{3})\//g))
      if (!CURRENCIES.has(currency)) log.warn(row, column, 'a currency of ISO 4217', currency)
}

/** Warns of an origin that is no country; one that is a group in the data is. */
export function warnOfOrigins(
  log: FaultLog,
  row: number,
  column: string | undefined,
  origins: readonly string[],
  known: KnownNames | undefined,
): void {
  for (const origin of origins) {
    if (origin === 'ALL' || isCountryCode(origin) || known?.origins.has(origin) === true) continue
    // Without the data at hand, a longer name may be any group.
    if (known === undefined && (origin === 'EU' || origin.length !== 2)) continue
    log.warn(row, column, 'a country, or a group of origins that is loaded', origin)
  }
}
