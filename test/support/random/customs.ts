/**
 * Random valid customs data: two to five jurisdictions with areas, territories, currencies and rounding, and everything
 * that is charged there. No row or figure is from the shipped data.
 */

import type { ExchangeRateRow } from '../../../src/core/customs/data/row-types/exchange-rates.ts'
import type {
  JurisdictionRow,
  OriginGroupRow,
  TerritoryRow,
} from '../../../src/core/customs/data/row-types/places.ts'
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import { type Money, randomFees, randomTaxes, randomThresholds } from './customs-charges.ts'
import {
  randomAverages,
  randomClearanceFees,
  randomConditionalDuties,
  randomExciseRates,
} from './customs-conditional.ts'
import { BORDERS, decimalText } from './customs-rate.ts'
import { randomSellerSchemes } from './customs-seller-schemes.ts'
import {
  DATA_SET,
  randomAdditional,
  randomBaseMeasures,
  randomCodeLists,
  randomMeasureTypes,
  randomPreferences,
  randomSuccessors,
} from './customs-tariff.ts'
import type { Dice } from './seeded-dice.ts'

/** Jurisdictions of one country: code, currency, and units of the currency for about one euro. */
const SINGLES = ['CH CHF 1', 'NO NOK 12', 'JP JPY 160', 'KR KRW 1600', 'BR BRL 6', 'US USD 1', 'GB GBP 1']
/** A currency without an exchange rate. */
const WITHOUT_RATE = 'MXN'

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  GSP: ['VN', 'IN'],
  CPTPP: ['VN', 'JP', 'GB'],
  EU: ['DE', 'FR'],
}

export function randomCustomsRows(dice: Dice): CustomsRows {
  const singles = dice.some(SINGLES, 1, 3).map((text) => text.split(' ') as [string, string, string])
  const hasUnion = singles.length < 2 || dice.chance(0.5)
  const moneys = [
    { currency: 'EUR', about: 1 },
    ...singles.map(([, currency, about]) => ({ currency, about: Number(about) })),
  ]
  const jurisdictions = [
    ...singles.map(([code, currency, about]) => single(dice, code, currency, Number(about))),
    ...(hasUnion
      ? union(
          dice,
          singles.some(([code]) => code === 'GB'),
        )
      : []),
  ]
  const areas = [...new Set(jurisdictions.map(({ customsAreas }) => customsAreas[0]!))]
  const named = dice.chance(0.15) ? [...moneys, { currency: WITHOUT_RATE, about: 20 }] : moneys
  const currencies = named.map(({ currency }) => currency)
  const moneyOf = (code: string): Money => {
    const currency = jurisdictions.find((row) => row.code === code)?.currency
    return moneys.find((money) => money.currency === currency) ?? moneys[0]!
  }
  const codes = jurisdictions.map(({ code }) => code)
  const taxes = jurisdictions.map((row) => randomTaxes(dice, row, codes))
  return {
    dataSets: [
      {
        name: DATA_SET,
        title: 'Random data',
        source: 'random',
        date: '2026-01-01',
        cycleDays: null,
        layer: 0,
      },
    ],
    jurisdictions,
    territories: territories(jurisdictions),
    originGroups: originGroups(),
    codeLists: randomCodeLists(dice),
    hsSuccessors: randomSuccessors(dice),
    taxes: taxes.flatMap((part) => part.taxes),
    taxRates: taxes.flatMap((part) => part.taxRates),
    measureTypes: randomMeasureTypes(dice),
    measures: areas.flatMap((area) => [
      ...(dice.chance(0.85) ? randomBaseMeasures(dice, area, currencies) : []),
      ...(dice.chance(0.6) ? randomAverages(dice, area) : []),
      ...(dice.chance(0.7) ? randomPreferences(dice, area, currencies) : []),
      ...(dice.chance(0.7) ? randomAdditional(dice, area, currencies) : []),
    ]),
    thresholds: [
      ...areas.flatMap((area) =>
        dice.chance(0.6) ? randomThresholds(dice, area, 'duty', named, moneyOf(area)) : [],
      ),
      ...codes.flatMap((code) =>
        dice.chance(0.5) ? randomThresholds(dice, code, 'tax', named, moneyOf(code)) : [],
      ),
    ],
    fees: [...new Set([...codes, ...areas])].flatMap((code) =>
      dice.chance(0.4) ? randomFees(dice, code, named) : [],
    ),
    conditionalDuties: areas.flatMap((area) =>
      dice.chance(0.6) ? randomConditionalDuties(dice, area, currencies) : [],
    ),
    tradeDefence: [],
    sellerSchemes: jurisdictions.flatMap((row) => randomSellerSchemes(dice, row, named)),
    restrictions: [],
    exciseRates: codes.flatMap((code) => randomExciseRates(dice, code, currencies)),
    clearanceFees: randomClearanceFees(dice, named),
    exchangeRates: moneys.slice(1).flatMap((money) => exchangeRates(dice, money)),
  }
}

function single(dice: Dice, code: string, currency: string, about: number): JurisdictionRow {
  const unit = dice.pick(['', '', '0.05', '0.5', '1', '10'])
  return {
    dataSet: DATA_SET,
    code,
    name: `Land of ${code}`,
    currency,
    customsAreas: [code],
    tariffOf: dice.chance(0.1) ? 'EU' : '',
    taxAreas: [code],
    valuation: dice.chance(0.6) ? 'CIF' : 'FOB',
    roundingUnit: unit === '' || about < 100 ? unit : String(Number(unit) * 20),
    roundingMode: dice.chance(0.5) ? 'half_up' : 'down',
    valueUnit: dice.chance(0.2) ? String(dice.pick([1, 5, 10]) * Math.max(1, about)) : '',
    reliefs: 'considered',
    note: '',
  }
}

/** A customs union of two members, a territory outside its tax area, and a region in two customs areas. */
function union(dice: Dice, hasNeighbour: boolean): readonly JurisdictionRow[] {
  const member = (code: string, taxArea: string): JurisdictionRow => ({
    ...single(dice, code, 'EUR', 1),
    customsAreas: ['EU'],
    tariffOf: '',
    taxAreas: [taxArea],
    valuation: 'CIF',
    valueUnit: '',
  })
  return [
    member('DE', 'EU'),
    ...(dice.chance(0.6) ? [member('FR', 'EU')] : []),
    ...(dice.chance(0.5) ? [member('FR-ISLE', 'FR-ISLE')] : []),
    ...(hasNeighbour
      ? [{ ...single(dice, 'XI', 'GBP', 1), customsAreas: ['EU', 'GB'], taxAreas: ['EU', 'GB'] }]
      : []),
  ]
}

/** Whole countries, and nested postal ranges. */
function territories(jurisdictions: readonly JurisdictionRow[]): readonly TerritoryRow[] {
  const codes = jurisdictions.map(({ code }) => code)
  const row = (
    country: string,
    postalFrom: string,
    postalTo: string,
    jurisdiction: string,
  ): TerritoryRow => ({
    dataSet: DATA_SET,
    country,
    postalFrom,
    postalTo,
    name: `${country} ${postalFrom}`,
    jurisdiction,
  })
  const wholes = codes.filter((code) => code.length === 2 && code !== 'XI')
  return [
    ...wholes.map((code) => row(code, '', '', code)),
    ...(codes.includes('FR-ISLE')
      ? [row('FR', '970', '979', 'FR-ISLE'), row('FR', '97300', '97399', 'DE')]
      : []),
    ...(codes.includes('XI') ? [row('GB', 'BT', 'BT', 'XI')] : []),
  ]
}

function originGroups(): readonly OriginGroupRow[] {
  return Object.entries(MEMBERS).flatMap(([originGroup, countries]) =>
    countries.map((country) => ({ dataSet: DATA_SET, originGroup, country })),
  )
}

function exchangeRates(dice: Dice, { currency, about }: Money): readonly ExchangeRateRow[] {
  return dice.some(['2025-06-01', ...BORDERS], 1, 3).map((validFrom) => ({
    dataSet: DATA_SET,
    currency,
    unitsPerEuro: decimalText(dice.int(about * 8000, about * 12_000), 4),
    validFrom,
    confidence: 'high',
    note: '',
  }))
}
