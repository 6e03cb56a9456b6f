/** Valid bodies for the REST door, as large as the contract allows. */
import type { Dice } from '../../../support/random/seeded-dice.ts'
import { costlyDescriptions, ordinaryDescription } from './descriptions.ts'

/** Routes to destinations with many duties and taxes. */
export const ROUTES = [
  { from: 'CN', to: 'US' },
  { from: 'CN', to: 'DE' },
  { from: 'US', to: 'NL' },
  { from: 'NL', to: 'US' },
  { from: 'US', to: 'GB' },
] as const

/** Paths of the REST door. */
export const REST = {
  rates: '/partners-api/v1/rates',
  estimate: '/partners-api/v1/duties-taxes-estimate',
} as const

/** An estimate of `items` goods whose descriptions are costly to classify, or ordinary. */
export function restEstimate(dice: Dice, items: number, isCostly: boolean): string {
  const { from, to } = dice.pick(ROUTES)
  const describe = isCostly ? costlyDescriptions(dice) : () => ordinaryDescription(dice)
  return JSON.stringify({
    fromCountry: from,
    toCountry: to,
    contentItems: Array.from({ length: items }, () => ({
      description: describe(),
      numberOfItems: dice.int(1, 9),
      cost: dice.int(100, 20_000) / 100,
      ...(dice.chance(0.5) && { originCountry: dice.pick(['CN', 'VN', 'TR', 'US', 'IN']) }),
    })),
  })
}

/** Rates for a number of parcel rows. */
export function restRates(dice: Dice, rows: number): string {
  return JSON.stringify({
    fromCountry: dice.pick(['NL', 'DE', 'FR']),
    toCountry: dice.pick(['ES', 'US', 'BE']),
    recipientType: 'business',
    parcels: Array.from({ length: rows }, () => ({
      type: 'NONDOC',
      weight: `${dice.int(1, 20)}.5`,
      ...{ length: dice.int(10, 60), width: dice.int(10, 40), height: dice.int(5, 40), count: 1 },
    })),
  })
}
