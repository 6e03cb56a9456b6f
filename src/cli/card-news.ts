/**
 * What an import says of the tables that all cards share (carriers, capitals, fuel) that is not known already.
 * Publishing a version enters it; what an import leaves out stays as it is.
 */
import { percentText } from '../core/rating/figure-text.ts'
import type { FuelRate, RateCardImport } from '../core/rating/rate-card.ts'

/** What is known: of carriers and capitals by an earlier import, of fuel by the table in force as well. */
export type Known = {
  readonly card: Pick<RateCardImport, 'carriers' | 'capitals' | 'fuel'>
  readonly fuelInForce: readonly FuelRate[]
}

/** What an import says that is new, one line each; `fuel` only where it differs from the percentages in force. */
export function sharedNews(
  { carriers, capitals, fuel }: RateCardImport,
  { card, fuelInForce }: Known,
): string[] {
  const isNew = <Row extends object>(row: Row, known: readonly Row[]): boolean =>
    !known.some((other) => isSame(row, other))
  return [
    ...carriers
      .filter((row) => isNew(row, card.carriers))
      .map(({ code, name, connector }) => `carrier ${code}: ${name}, connector ${connector}`),
    ...capitals
      .filter((row) => isNew(row, card.capitals))
      .map(({ country, city, postalCode }) => `capital of ${country}: ${`${city} ${postalCode}`.trimEnd()}`),
    ...fuelNews(fuel, [...card.fuel, ...fuelInForce]),
  ]
}

/** The percentages that differ from those known for their carrier, code and day. */
function fuelNews(fuel: readonly FuelRate[], known: readonly FuelRate[]): string[] {
  return fuel
    .filter((rate) => !known.some((other) => isSameFuel(rate, other)))
    .map(({ carrierCode, code, validFrom, rateBps }) => {
      return `fuel ${carrierCode} ${code} from ${validFrom}: ${percentText(rateBps)}`
    })
}

function isSameFuel(one: FuelRate, other: FuelRate): boolean {
  const isFor = one.carrierCode === other.carrierCode && one.code === other.code
  return isFor && one.validFrom === other.validFrom && one.rateBps === other.rateBps
}

function isSame<Row extends object>(one: Row, other: Row): boolean {
  const keys = Object.keys(one) as (keyof Row)[]
  return keys.every((key) => one[key] === other[key])
}
