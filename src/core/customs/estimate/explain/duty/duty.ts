/**
 * Texts for duties of the tariff: rate, basis, origin and data set. See docs/customs-data.md#codes and
 * docs/limitations.md#duties-and-taxes.
 */
import { describeExchangeRate, findExchangeRate } from '../../../data/exchange-rate.ts'
import type { MeasureRow } from '../../../data/row-types/measures.ts'
import { formatEuro, formatQuantity, isZero } from '../../../exact.ts'
import { formatPercent, percentOf } from '../../../tariff/duty-text.ts'
import { ALL_ORIGINS, isAverage, type Measure } from '../../../tariff/measure.ts'
import type { Consignment } from '../../consignment.ts'
import { quotasFor } from '../../duty/additional-code.ts'
import { measureBasis } from '../../duty/basis.ts'
import { preferencesFor } from '../../duty/lot-duty.ts'
import { countItems, type Lot } from '../../goods.ts'
import { quantitiesOfAll } from '../../quantities.ts'
import type { ExactLine, MeasureFacts, MeasureOfLot } from '../../tax-line.ts'
import type { ChargeTexts, Explanation } from '../explanation.ts'
import { openMeasure } from '../open-point.ts'
import {
  describeCutValue,
  describeDataSet,
  describeMissingRates,
  describeRounding,
  exchangeRatesFor,
  type LineSource,
  sentences,
  tariffSource,
} from '../text.ts'
import { describeUnverified } from '../threshold.ts'
import { measureReason } from './duty-reason.ts'
import { confidenceOf, describeChoice, describeRowRange, rateRange } from './rate-choice.ts'

/** What all lines of a measure have in common. */
export const OF_MEASURE: Omit<Explanation<MeasureOfLot>, 'describe' | 'reason'> = {
  source: measureSource,
  range: ({ lot, measure }) => rateRange(lot, measure),
  basis: measureBasis,
  quotas: ({ lot, measure }) => (measure.type.role === 'additional' ? [] : quotasFor(lot)),
  grounds: ({ measure }, { consignment }) =>
    measure.isShareOnly ? [] : exchangeRatesFor(consignment, currenciesOf(measure)),
}

export const MEASURE: ChargeTexts<MeasureFacts> = {
  ...OF_MEASURE,
  reason: (facts, { line }) => measureReason(facts, line),
  describe: (facts, { consignment, line }) => describeMeasure(consignment, facts, line),
  open: openMeasure,
  product: (facts, { line }) => measureProduct(facts, line),
  ratePercent: measureRatePercent,
}

function measureRatePercent({ measure, missing }: MeasureFacts): string | undefined {
  const { isShareOnly, row } = measure
  const isShare = isShareOnly || missing !== ''
  return isShare && row.adValoremPpm !== null ? percentOf(row.adValoremPpm) : undefined
}

function measureSource({ lot, measure }: MeasureOfLot): LineSource {
  const { row, rateText } = measure
  return tariffSource(row, rateText, {
    range: rateRange(lot, measure),
    confidence: confidenceOf(lot, measure),
  })
}

/** "6.5% × EUR 200.00" */
function measureProduct({ measure, lot, missing }: MeasureFacts, { base }: ExactLine): string {
  const { row, isShareOnly, rateText } = measure
  const share = row.adValoremPpm === null ? '' : formatPercent(row.adValoremPpm)
  const isShare = isShareOnly || (missing !== '' && measure.base.specifics.length === 0)
  const product = isShare
    ? `${share} × ${formatEuro(base)}`
    : `${rateText} on ${quantityText(measure, lot)}, ${formatEuro(base)}`
  switch (row.kind) {
    case 'additive':
    case 'replace_base':
      return product
    case 'cap_total':
      return `${product} − base duty`
    case 'floor_total':
      return `${product} − other duties`
  }
}

function describeMeasure(consignment: Consignment, facts: MeasureFacts, line: ExactLine): string {
  const { goods, lot, measure } = facts
  return sentences(
    `${rateText(consignment, facts)}${baseText(consignment, lot, measure, line)}${endText(facts, line)}.`,
    measureRemarks(consignment, facts),
    measure.type.role === 'additional'
      ? ''
      : describeUnverified(consignment, 'duty', goods.harmonizedCode, line.amount),
    ...(measure.type.role === 'additional' ? [] : goods.remarks),
  )
}

/** The end of the first sentence: what the calculation leaves out, or why nothing is added. */
function endText(facts: MeasureFacts, { amount }: ExactLine): string {
  const { measure, missing } = facts
  if (isByQuantity(facts)) return missing === '' ? '' : `, without ${missing}`
  return measure.row.kind === 'cap_total' && isZero(amount)
    ? '; it already reaches this amount, so there is no additional duty'
    : ''
}

/** True if the description shows the rate as published, with the quantities that it is applied to. */
function isByQuantity({ measure, missing }: MeasureFacts): boolean {
  return !measure.isShareOnly && (missing === '' || measure.base.specifics.length > 0)
}

/** The beginning of the description: the rate, without the value that it applies to. */
function rateText(consignment: Consignment, facts: MeasureFacts): string {
  const { lot, measure, missing } = facts
  const { row } = measure
  if (isByQuantity(facts)) return `${measure.rateText} on ${quantityText(measure, lot)}, `
  const percent = formatPercent(row.adValoremPpm ?? 0)
  if (isAverage(measure)) return `${averageText(consignment, row)}: ${percent} of the `
  switch (row.kind) {
    case 'additive':
    case 'replace_base':
      return `${row.adValoremPpm === 0 && missing === '' ? 'Free of duty: ' : ''}${percent} of the `
    case 'cap_total':
      return `The base duty is raised to ${percent} of the `
    case 'floor_total':
      return `All duties together come to at least ${percent} of the `
  }
}

function measureRemarks(consignment: Consignment, { lot, measure }: MeasureOfLot): string {
  const { row, type } = measure
  return sentences(
    describeChoice(lot, measure),
    describeRowRange(measure),
    describeOrigin(consignment, lot, measure),
    row.note,
    describeConversion(consignment, measure),
    describeDataSet(consignment, row.dataSet, confidenceOf(lot, measure)),
    type.role === 'base' ? describeUnclaimedPreferences(consignment, lot) : '',
    describeRounding(consignment),
  )
}

/** "Average duty on clothing in Nigeria" */
export function averageText({ to }: Consignment, { goods }: MeasureRow): string {
  return `Average duty on ${goods} in ${to.name}`
}

/** The quantities that a rate counts: "12 items, 9 l". */
function quantityText({ base, minimum, maximum }: Measure, lot: Lot): string {
  const quantities = quantitiesOfAll(lot.items)
  const parts = [base, minimum, maximum].flatMap((sum) => sum?.specifics ?? [])
  const count = countItems(lot)
  const texts = [`${count} ${count === 1 ? 'item' : 'items'}`]
  for (const quantity of new Set(parts.map(({ unit }) => unit.quantity))) {
    const amount = quantity === 'items' ? undefined : quantities.get(quantity)
    if (amount !== undefined) texts.push(`${formatQuantity(amount)} ${quantity}`)
  }
  return texts.join(', ')
}

/** The value that a rate applies to, such as "goods value EUR 200.00 (freight and insurance not given)". */
export function baseText(consignment: Consignment, lot: Lot, { row }: Measure, { base }: ExactLine): string {
  if (row.basis === 'duty') return `preceding duties, ${formatEuro(base)}`
  return `${valueText(consignment, lot)}${describeCutValue(consignment, base)}`
}

function valueText({ to, isFreightGiven }: Consignment, lot: Lot): string {
  if (to.valuation === 'FOB') return `goods value ${formatEuro(lot.goodsValue)}`
  if (!isFreightGiven) return `goods value ${formatEuro(lot.goodsValue)} (freight and insurance not given)`
  const parts = `goods ${formatEuro(lot.goodsValue)}, freight and insurance ${formatEuro(lot.freight)}`
  return `customs value ${formatEuro(lot.customsValue)} (${parts})`
}

function describeConversion({ tables, date }: Consignment, measure: Measure): string {
  const currency = measure.base.specifics[0]?.currency ?? 'EUR'
  const rate = findExchangeRate(tables.exchangeRates, currency, date)
  return rate === undefined || currency === 'EUR' ? '' : `${currency}${describeExchangeRate(rate)}.`
}

/** Empty if the measure is the same for all origins. */
export function describeOrigin(
  { sendingCountry }: Consignment,
  { origin }: Lot,
  { row, type }: Measure,
): string {
  if (type.role === 'preference')
    return `Preference under ${row.agreement === '' ? 'an agreement' : row.agreement} for goods of origin ${origin}; proof of origin is required.`
  if (row.originGroup === ALL_ORIGINS) return ''
  return origin === ''
    ? `For goods of origin ${sendingCountry}: no origin is given, so the sending country counts as the origin.`
    : `For goods of origin ${origin}.`
}

export function describeUnclaimedPreferences(consignment: Consignment, lot: Lot): string {
  if (lot.origin === '') return ''
  const preferences = preferencesFor(consignment, lot)
  const notLoaded = preferences.find(({ row }) => row.condition !== '')
  if (notLoaded !== undefined)
    return `A preference under ${notLoaded.row.agreement} may lower this duty; its rates are not loaded.`
  for (const preference of preferences) {
    const missing = describeMissingRates(consignment, currenciesOf(preference))
    if (missing !== '')
      return `A preference under ${preference.row.agreement} may lower this duty. ${missing}`
  }
  return `No preference is claimed for origin ${lot.origin}.`
}

/** The currencies of the amounts and prices of a measure. */
export function currenciesOf({ base, minimum, maximum, variants }: Measure): readonly string[] {
  const parts = [base, minimum, maximum].flatMap((sum) => sum?.specifics ?? [])
  const prices = variants?.dependsOn === 'price' ? variants.prices.map(({ price }) => price) : []
  return [...parts, ...prices].map(({ currency }) => currency)
}
