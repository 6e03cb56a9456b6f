/**
 * Random rows that apply to some goods or requests only: averages of groups of goods, duties by additional code,
 * quotas, excise rates, and clearance fees of carriers.
 */
import type { ClearanceFeeRow } from '../../../src/core/customs/data/row-types/fees.ts'
import type { ConditionalDutyRow, MeasureRow } from '../../../src/core/customs/data/row-types/measures.ts'
import type { ExciseRateRow } from '../../../src/core/customs/data/row-types/taxes.ts'
import type { Money } from './customs-charges.ts'
import { randomAmount, randomPpm, randomSpecific, randomValidity } from './customs-rate.ts'
import { ADDITIONAL, DATA_SET, GROUPS, ORIGINS, PLAIN, randomPrefix, SIX_DIGITS } from './customs-tariff.ts'
import type { Dice } from './seeded-dice.ts'

export const ADDITIONAL_CODES = ['C001', 'C002', 'C999'] as const

/** Carriers with clearance fees. Product '1' of each has fees of its own. */
export const CARRIERS = ['parcelline', 'northway'] as const

const always = { confidence: 'high', note: '' } as const
const noRate = { adValoremPpm: null, specific: '', minimum: '', maximum: '', text: '' } as const

/** Averages of chapters, headings or all goods of an area. Some have only a range. */
export function randomAverages(dice: Dice, jurisdiction: string): readonly MeasureRow[] {
  const prefixes = new Set(Array.from({ length: dice.int(1, 4) }, () => randomPrefix(dice).slice(0, 4)))
  return [...prefixes].map((codePrefix) => {
    const lowestPpm = randomPpm(dice, 10)
    const adValoremPpm = lowestPpm + randomPpm(dice, 10)
    const hasRate = dice.chance(0.8)
    return {
      ...PLAIN,
      ...noRate,
      ...randomValidity(dice),
      jurisdiction,
      codePrefix,
      measureType: 'third_country_duty',
      condition: hasRate ? '' : 'range_only',
      adValoremPpm: hasRate ? adValoremPpm : null,
      level: 'average',
      goods: codePrefix === '' ? 'all goods' : `goods of ${codePrefix}`,
      lowestPpm,
      highestPpm: adValoremPpm + randomPpm(dice, 20),
      lineCount: dice.chance(0.5) ? dice.int(1, 200) : null,
    }
  })
}

/** Duties by additional code, and quotas, of one area. */
export function randomConditionalDuties(
  dice: Dice,
  jurisdiction: string,
  currencies: readonly string[],
): readonly ConditionalDutyRow[] {
  const row = (measureType: string, codePrefix: string): ConditionalDutyRow => ({
    ...{ ...noRate, ...always, ...randomValidity(dice), dataSet: DATA_SET, jurisdiction },
    ...{ codePrefix, measureType, dependsOn: 'additional_code', additionalCode: '', orderNumber: '' },
    ...conditionalRate(dice, currencies),
    originGroup: dice.pick(['ALL', 'CN', 'CN', dice.pick(ORIGINS), dice.pick(GROUPS)]),
    excludedOrigins: dice.chance(0.1) ? [dice.pick(ORIGINS)] : [],
    agreement: dice.chance(0.3) ? 'Regulation' : '',
  })
  const coded = dice.some(ADDITIONAL, 0, 2).flatMap((measureType) => {
    const prefix = randomPrefix(dice)
    const isUniform = dice.chance(0.2)
    const first = row(measureType, prefix)
    return dice.some(ADDITIONAL_CODES, 1, 3).flatMap((additionalCode) => {
      const one = isUniform ? first : row(measureType, dice.chance(0.8) ? prefix : randomPrefix(dice))
      const narrower = { ...row(measureType, one.codePrefix), originGroup: 'VN' }
      return (dice.chance(0.2) ? [one, narrower] : [one]).map((duty) => ({ ...duty, additionalCode }))
    })
  })
  const quotas = ['tariff_quota', 'preferential_quota'].flatMap((measureType) =>
    dice.chance(0.3)
      ? [{ ...row(measureType, randomPrefix(dice)), dependsOn: 'quota' as const, orderNumber: '090123' }]
      : [],
  )
  return withDistinctKeys([...coded, ...quotas], (duty) =>
    [duty.measureType, duty.codePrefix, duty.originGroup, duty.additionalCode, duty.orderNumber].join(' '),
  )
}

function conditionalRate(
  dice: Dice,
  currencies: readonly string[],
): Pick<ConditionalDutyRow, 'adValoremPpm' | 'specific' | 'minimum' | 'text'> {
  const plain = { adValoremPpm: randomPpm(dice, 80), specific: '', minimum: '', text: '' }
  switch (dice.int(0, 7)) {
    case 0:
      return { ...plain, adValoremPpm: null, specific: randomSpecific(dice, currencies) }
    case 1:
      return { ...plain, minimum: randomSpecific(dice, currencies) }
    case 2:
      return { ...plain, adValoremPpm: null, text: 'as the regulation says' }
    default:
      return plain
  }
}

function withDistinctKeys<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  const keys = rows.map(keyOf)
  return rows.filter((_, index) => keys.indexOf(keys[index]!) === index)
}

const EXCISE_UNITS = [
  'hl',
  'l',
  '% vol/hl',
  'l pure alcohol',
  'hl pure alcohol',
  'proof l',
  'kg',
  '1000 items',
]

/** One to three excises of a jurisdiction: by code alone, or divided by alcoholic strength, with or without a gap. */
export function randomExciseRates(
  dice: Dice,
  jurisdiction: string,
  currencies: readonly string[],
): readonly ExciseRateRow[] {
  return dice.some(['wine', 'spirits', 'cheese'], 0, 3).flatMap((excise) => {
    const prefixes = dice
      .some(SIX_DIGITS.slice(3, 7), 1, 2)
      .map((code) => code.slice(0, dice.pick([2, 4, 6])))
    return [...new Set(prefixes)].flatMap((codePrefix) => {
      const bands = dice.pick([
        [null, null],
        [null, 85_000, 150_000, null],
        [12_000, 150_000, 220_000],
      ])
      return bands.slice(1).map((strengthUpToPpm, index): ExciseRateRow => {
        const strengthAbovePpm = bands[index] ?? null
        return {
          ...{
            ...always,
            validFrom: null,
            validTo: null,
            dataSet: DATA_SET,
            jurisdiction,
            excise,
            codePrefix,
          },
          ...{ strengthAbovePpm, strengthUpToPpm, text: '' },
          ...exciseRate(dice, currencies),
          name: `Excise on ${excise}${index === 0 ? '' : `, band ${index}`}`,
        }
      })
    })
  })
}

function exciseRate(
  dice: Dice,
  currencies: readonly string[],
): Pick<ExciseRateRow, 'retailPricePpm' | 'adValoremPpm' | 'specific' | 'minimum'> {
  const amount = (): string => `${randomAmount(dice, 40)} ${dice.pick(currencies)}/${dice.pick(EXCISE_UNITS)}`
  const isByValue = dice.chance(0.3)
  return {
    retailPricePpm: dice.chance(0.15) ? 600_000 : null,
    adValoremPpm: isByValue ? randomPpm(dice, 30) : null,
    specific: isByValue && dice.chance(0.5) ? '' : amount(),
    minimum: dice.chance(0.15) ? amount() : '',
  }
}

/** Fees of carriers in the order in which they are tried. */
export function randomClearanceFees(dice: Dice, moneys: readonly Money[]): readonly ClearanceFeeRow[] {
  return CARRIERS.flatMap((carrier) =>
    Array.from({ length: dice.int(0, 4) }, (): ClearanceFeeRow => {
      const { currency, about } = dice.pick(moneys)
      const kind = dice.pick(['fixed', 'share_of_charges'] as const)
      const isShare = kind === 'share_of_charges'
      const fee = dice.pick(['clearance', 'advance'])
      return {
        ...{ ...always, ...randomValidity(dice), dataSet: DATA_SET, carrier, kind, fee, currency },
        name: `The ${fee} fee`,
        product: dice.chance(0.3) ? '1' : '',
        destinations: dice.chance(0.3) ? dice.some(['EU', 'DE', 'GB', 'CH', 'FR-ISLE'], 1, 2) : [],
        sentFrom: dice.chance(0.2) ? dice.some(['CN', 'GSP', 'EU'], 1, 2) : [],
        valueAbove: dice.chance(0.3) ? String(Math.round(22 * about)) : '',
        valueUpTo: dice.chance(0.3) ? String(Math.round(150 * about)) : '',
        recipient: dice.pick(['any', 'any', 'individual', 'business']),
        amount: isShare ? '' : randomAmount(dice, 20 * about),
        ratePpm: isShare ? randomPpm(dice, 5) : null,
        minimum: isShare && dice.chance(0.6) ? randomAmount(dice, 12 * about) : '',
        maximum: isShare && dice.chance(0.2) ? String(Math.round(13 * about)) : '',
        onlyIfCharged: !isShare && dice.chance(0.3),
        enabled: dice.chance(0.9),
      }
    }),
  )
}
