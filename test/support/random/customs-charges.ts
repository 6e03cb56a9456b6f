/** Random low-value rules, fees, taxes and tax rates. */
import type { FeeRow } from '../../../src/core/customs/data/row-types/fees.ts'
import type { JurisdictionRow } from '../../../src/core/customs/data/row-types/places.ts'
import type { TaxRateRow, TaxRow } from '../../../src/core/customs/data/row-types/taxes.ts'
import { IMPORT_SCHEMES, type ThresholdRow } from '../../../src/core/customs/data/row-types/thresholds.ts'
import { randomAmount, randomPpm, randomValidity } from './customs-rate.ts'
import { DATA_SET, SIX_DIGITS } from './customs-tariff.ts'
import type { Dice } from './seeded-dice.ts'

const RECIPIENTS = ['any', 'any', 'individual', 'individual', 'business'] as const
const SENDERS = ['CN', 'DE', 'EU', 'GSP', 'VN', 'CH']

/** A currency. `about` is the approximate number of units for one euro. */
export type Money = { readonly currency: string; readonly about: number }

/** Prefixes of two to six digits. */
function prefixes(dice: Dice, probability: number): readonly string[] {
  if (!dice.chance(probability)) return []
  return dice.some(SIX_DIGITS, 1, 3).map((code) => code.slice(0, dice.pick([2, 4, 6])))
}

/** Usually none; otherwise in any order. */
function randomSchemes(dice: Dice): readonly string[] {
  if (!dice.chance(0.3)) return []
  const schemes = dice.some(IMPORT_SCHEMES, 1, 2)
  return dice.chance(0.3) ? schemes.reverse() : schemes
}

const NO_RULE = {
  dataSet: DATA_SET,
  flatAmount: '',
  deductAmount: '',
  ratePpm: null,
  itemDigits: null,
  yieldsToPreference: false,
  replacesTaxes: false,
  reason: 'a rule for tests',
  confidence: 'high',
} as const

/** Rules on the duty of an area or on the tax of a jurisdiction, in the order in which they apply. */
export function randomThresholds(
  dice: Dice,
  jurisdiction: string,
  appliesTo: 'duty' | 'tax',
  moneys: readonly Money[],
  home: Money,
): readonly ThresholdRow[] {
  const kinds: ThresholdRow['kind'][] =
    appliesTo === 'duty'
      ? ['relief_up_to', 'flat_per_item', 'flat_per_item', 'flat_rate', 'flat_rate', 'taxed_excess']
      : ['relief_up_to', 'taxed_excess']
  const rows = Array.from({ length: dice.int(0, appliesTo === 'duty' ? 4 : 2) }, (): ThresholdRow => {
    const { currency, about } = dice.pick(moneys)
    const kind = dice.pick(kinds)
    const isRate = kind === 'flat_rate' || (kind === 'taxed_excess' && appliesTo === 'duty')
    const isBounded = kind !== 'flat_rate' || dice.chance(0.7)
    return {
      ...NO_RULE,
      ...randomValidity(dice),
      jurisdiction,
      appliesTo,
      kind,
      currency,
      limitAmount: isBounded
        ? String(Math.max(1, Math.round(dice.pick([20, 50, 150, 150, 800]) * about)))
        : '',
      valueBasis: dice.chance(0.6) ? 'goods' : 'customs_value',
      ...(kind === 'flat_per_item' && { flatAmount: randomAmount(dice, 5 * about) }),
      ...(kind === 'flat_per_item' && dice.chance(0.4) && { itemDigits: dice.pick([4, 6]) }),
      ...(isRate && { ratePpm: randomPpm(dice, 60) }),
      ...(kind === 'flat_rate' && dice.chance(0.4) && { deductAmount: randomAmount(dice, 20 * about) }),
      recipient: dice.pick(RECIPIENTS),
      sentFrom: dice.chance(0.25) ? dice.some(SENDERS, 1, 2) : [],
      importSchemes: randomSchemes(dice),
      includedPrefixes: prefixes(dice, 0.15),
      excludedPrefixes: prefixes(dice, 0.25),
      yieldsToPreference: appliesTo === 'duty' && dice.chance(0.4),
      replacesTaxes: kind === 'flat_rate' && dice.chance(0.5),
      enabled: dice.chance(0.9),
    }
  })
  if (!dice.chance(0.35)) return rows
  const onAmount: ThresholdRow = {
    ...NO_RULE,
    ...randomValidity(dice),
    jurisdiction,
    appliesTo,
    kind: dice.pick(['not_levied_up_to', 'not_levied_below']),
    currency: home.currency,
    limitAmount: String(Math.max(1, Math.round(dice.pick([2, 5, 20]) * home.about))),
    valueBasis: 'goods',
    recipient: dice.pick(RECIPIENTS),
    sentFrom: dice.chance(0.2) ? dice.some(SENDERS, 1, 2) : [],
    importSchemes: randomSchemes(dice),
    includedPrefixes: [],
    excludedPrefixes: [],
    enabled: dice.chance(0.9),
  }
  return dice.chance(0.5) ? [onAmount, ...rows] : [...rows, onAmount]
}

export function randomFees(dice: Dice, jurisdiction: string, moneys: readonly Money[]): readonly FeeRow[] {
  return Array.from({ length: dice.int(0, 3) }, (_, index): FeeRow => {
    const { currency, about } = dice.pick(moneys)
    const kind = dice.pick(['per_consignment', 'per_line', 'share_of_value'] as const)
    const isShare = kind === 'share_of_value'
    const isKnown = dice.chance(0.85)
    const least = isShare && dice.chance(0.4)
    const bound = (euro: number): string => String(Math.max(1, Math.round(euro * about)))
    return {
      dataSet: DATA_SET,
      ...randomValidity(dice),
      jurisdiction,
      fee: `fee-${index}`,
      name: `Fee ${index} of ${jurisdiction}`,
      kind,
      status: isKnown ? 'levied' : 'not_estimated',
      currency,
      amount: isShare || !isKnown ? '' : randomAmount(dice, 30 * about),
      ratePpm: isShare && isKnown ? randomPpm(dice, 3) : null,
      minimum: least && isKnown ? randomAmount(dice, 10 * about) : '',
      maximum: isShare && isKnown && dice.chance(0.4) ? bound(dice.int(11, 60)) : '',
      notLeviedBelow: isShare && isKnown && !least && dice.chance(0.4) ? randomAmount(dice, 4 * about) : '',
      valueAbove: dice.chance(0.3) ? bound(dice.pick([20, 150])) : '',
      valueUpTo: dice.chance(0.3) ? bound(dice.pick([150, 800])) : '',
      itemDigits: kind === 'per_line' && dice.chance(0.4) ? dice.pick([4, 6]) : null,
      recipient: dice.pick(RECIPIENTS),
      importSchemes: randomSchemes(dice),
      paidByCarrier: dice.chance(0.1),
      inTaxBase: dice.chance(0.5),
      waivedByPreference: dice.chance(0.3),
      exemptOrigins: isShare && dice.chance(0.4) ? dice.some(['CN', 'GSP', 'IN'], 1, 2) : [],
      reason: 'a fee for tests',
      enabled: dice.chance(0.9),
      confidence: 'high',
    }
  })
}

/** Taxes of all statuses, and the rates of those that are levied. */
export function randomTaxes(
  dice: Dice,
  { code, valuation }: JurisdictionRow,
  others: readonly string[],
): { readonly taxes: readonly TaxRow[]; readonly taxRates: readonly TaxRateRow[] } {
  if (dice.chance(0.04)) return { taxes: [], taxRates: [] }
  const tax = (name: string, kind: TaxRow['kind'], status: TaxRow['status']): TaxRow => ({
    dataSet: DATA_SET,
    jurisdiction: code,
    // Unique, since a tax may use the rates of another jurisdiction.
    tax: `${name} of ${code}`,
    name,
    kind,
    status,
    base: dice.chance(0.15) ? 'inside' : 'value_and_duty',
    includesFreight: valuation === 'FOB' ? dice.chance(0.5) : dice.chance(0.1),
    upliftPpm: dice.chance(0.15) ? 100_000 : 0,
    ratesOf: dice.chance(0.2) ? dice.pick(others) : code,
    reason: status === 'levied' ? '' : 'a tax for tests',
    note: '',
    notePrefixes: [],
    codePrefixes: prefixes(dice, 0.1),
    recipient: dice.pick(['any', 'any', 'any', 'individual', 'business']),
  })
  const status = dice.chance(0.9) ? 'levied' : dice.pick(['none', 'not_estimated'] as const)
  const first = tax('Value added tax', 'VAT', status)
  const taxes = [
    ...(dice.chance(0.9) ? [first] : []),
    ...(dice.chance(0.2) ? [tax('Sales tax', 'GST', dice.pick(['levied', 'levied', 'none']))] : []),
    ...(dice.chance(0.5)
      ? [
          {
            ...tax('Excise duty', 'EXCISE', dice.pick(['levied', 'levied', 'not_estimated', 'none'])),
            codePrefixes: ['22', '04'],
          },
        ]
      : []),
  ]
  const levied = taxes.filter(({ status, kind }) => status === 'levied' && kind !== 'EXCISE')
  return { taxes, taxRates: levied.flatMap((row) => randomTaxRates(dice, row)) }
}

function randomTaxRates(dice: Dice, { ratesOf, tax }: TaxRow): readonly TaxRateRow[] {
  const row = (codePrefix: string, validFrom: string | null, validTo: string | null): TaxRateRow => ({
    dataSet: DATA_SET,
    jurisdiction: ratesOf,
    tax,
    codePrefix,
    ratePpm: randomPpm(dice, 27),
    kind: codePrefix === '' ? 'standard' : 'reduced',
    validFrom,
    validTo,
    confidence: 'high',
    note: '',
  })
  const reduced = new Set(prefixes(dice, 0.6))
  return [
    row('', null, null),
    ...(dice.chance(0.3) ? [row('', null, '2026-01-01'), row('', '2026-01-01', '2026-07-01')] : []),
    ...(dice.chance(0.2) ? [row('', '2026-11-15', null)] : []),
    ...[...reduced].flatMap((prefix) =>
      dice.chance(0.3)
        ? [row(prefix, null, '2026-07-24'), row(prefix, '2026-07-24', null)]
        : [row(prefix, null, null)],
    ),
  ]
}
