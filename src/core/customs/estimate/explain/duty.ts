/**
 * Texts for duties of the tariff: rate, basis, origin, data set, and how the rate of a six-digit code was chosen.
 * See docs/customs-data.md#codes and docs/limitations.md#duties-and-taxes.
 */
import { describeExchangeRate, findExchangeRate } from '../../data/exchange-rate.ts'
import type { MeasureRow } from '../../data/row-types/measures.ts'
import type { Confidence } from '../../data/row-types/table.ts'
import { tariffAreaOf } from '../../data/territory.ts'
import { formatEuro, formatQuantity, isZero } from '../../exact.ts'
import { formatPercent, percentOf } from '../../tariff/duty-text.ts'
import { ALL_ORIGINS, isAverage, isRateKnown, isSameOrVariant, type Measure } from '../../tariff/measure.ts'
import type { TariffEntry, TariffGroup } from '../../tariff/tariff.ts'
import { quotasFor } from '../additional-code.ts'
import { measureBasis } from '../basis.ts'
import type { Consignment } from '../consignment.ts'
import { countItems, type Goods, type Lot } from '../goods.ts'
import { preferencesFor } from '../lot-duty.ts'
import { quantitiesOfAll } from '../quantities.ts'
import { hasWideSpread, ratesChosenFrom, rowRange } from '../rate-spread.ts'
import type { DutyReasons, ExactLine, MeasureFacts, MeasureOfLot } from '../tax-line.ts'
import { CODE_RANGE } from './additional-code.ts'
import { codeName } from './code-name.ts'
import { measureReason, missingReason } from './duty-reason.ts'
import type { ChargeTexts, Explanation, ReasonTexts } from './explanation.ts'
import { openMeasure, openUncounted } from './open-point.ts'
import { SCHEME_RELIEF } from './seller-scheme.ts'
import {
  describeCutValue,
  describeDataSet,
  describeMissingRates,
  describeRounding,
  exchangeRatesFor,
  type LineSource,
  type RateRange,
  reliefRemark,
  sentences,
} from './text.ts'
import { describeUnverified } from './threshold.ts'
import { TRADE_DEFENCE } from './trade-defence.ts'

/** What all lines of a measure have in common. */
const OF_MEASURE: Omit<Explanation<MeasureOfLot>, 'describe' | 'reason'> = {
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

export const DUTY_REASONS: ReasonTexts<DutyReasons> = {
  missingPart: {
    ...OF_MEASURE,
    describe: (facts, { consignment }) => describeMissingPart(consignment, facts),
    reason: missingReason,
    basis: (facts) => (isRateKnown(facts.measure) ? measureBasis(facts) : 'NOT_LOADED'),
  },
  uncounted: {
    ...OF_MEASURE,
    describe: (facts, { consignment, line }) => describeUncounted(consignment, facts, line),
    reason: ({ amount }) => `averages are excluded (${formatEuro(amount)} on average)`,
    open: openUncounted,
    basis: () => 'GROUP_AVERAGE',
  },
  noMeasure: {
    describe: ({ goods, lot }, { consignment }) => describeNoMeasure(consignment, goods, lot),
    reason: ({ goods }, { consignment }) =>
      consignment.tables.tariffs.has(tariffAreaOf(consignment.to))
        ? `the tariff has no duty for code ${goods.harmonizedCode}`
        : 'no tariff is loaded for the destination',
    source: () => undefined,
    range: ({ lot }) => lot.facts.averageRange && rateRange(lot, lot.facts.averageRange),
    quotas: ({ lot }) => quotasFor(lot),
  },
  codeRange: CODE_RANGE,
  schemeRelief: SCHEME_RELIEF,
  tradeDefence: TRADE_DEFENCE,
}

function measureRatePercent({ measure, missing }: MeasureFacts): string | undefined {
  const { isShareOnly, row } = measure
  const isShare = isShareOnly || missing !== ''
  return isShare && row.adValoremPpm !== null ? percentOf(row.adValoremPpm) : undefined
}

function measureSource({ lot, measure }: MeasureOfLot): LineSource {
  const { row, rateText } = measure
  const range = rateRange(lot, measure)
  return {
    dataSet: row.dataSet,
    measureType: row.measureType,
    codePrefix: row.codePrefix,
    origin: row.originGroup,
    ...(row.agreement !== '' && { agreement: row.agreement }),
    rateText,
    ...(range !== undefined && { range }),
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: confidenceOf(lot, measure),
  }
}

/** The rates that the rate of a line was chosen or averaged from. Undefined if it is the rate of one line. */
function rateRange(lot: Lot, measure: Measure): RateRange | undefined {
  const rates = ratesChosenFrom(lot, measure)
  return rates && rangeOf(rates.lowestPpm, rates.highestPpm)
}

function rangeOf(lowestPpm: number, highestPpm: number): RateRange {
  return { lowestPercent: percentOf(lowestPpm), highestPercent: percentOf(highestPpm) }
}

/** An average or a wide range says little about the rate of the goods, however well the rates are known. */
function confidenceOf(lot: Lot, measure: Measure): Confidence {
  return isAverage(measure) || hasWideSpread(lot, measure) ? 'low' : measure.row.confidence
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
    describeGroup(lot, measure),
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
function averageText({ to }: Consignment, { goods }: MeasureRow): string {
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
function baseText(consignment: Consignment, lot: Lot, { row }: Measure, { base }: ExactLine): string {
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
function describeOrigin({ sendingCountry }: Consignment, { origin }: Lot, { row, type }: Measure): string {
  if (type.role === 'preference')
    return `Preference under ${row.agreement === '' ? 'an agreement' : row.agreement} for goods of origin ${origin}; proof of origin is required.`
  if (row.originGroup === ALL_ORIGINS) return ''
  return origin === ''
    ? `For goods of origin ${sendingCountry}: no origin is given, so the sending country counts as the origin.`
    : `For goods of origin ${origin}.`
}

function describeUnclaimedPreferences(consignment: Consignment, lot: Lot): string {
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
function currenciesOf({ base, minimum, maximum, variants }: Measure): readonly string[] {
  const parts = [base, minimum, maximum].flatMap((sum) => sum?.specifics ?? [])
  const prices = variants?.dependsOn === 'price' ? variants.prices.map(({ price }) => price) : []
  return [...parts, ...prices].map(({ currency }) => currency)
}

/** How the rate of a group of lines was chosen; empty if the rate comes from a single line. */
function describeGroup(lot: Lot, measure: Measure): string {
  switch (measure.row.level) {
    case 'average':
      return describeIndividualRates(measure.row)
    case 'subheading':
      return lot.entry?.measure === measure && lot.entry.knownPrefix !== lot.entry.lineCode
        ? describeResidualLine(lot, measure)
        : describeSubheading(measure.row)
    case 'line':
      return describeResidualLine(lot, measure)
  }
}

function describeIndividualRates({ lowestPpm, highestPpm, lineCount }: MeasureRow): string {
  const codes = lineCount === null ? '' : ` (${lineCount} codes)`
  return `Individual rates range from ${formatPercent(lowestPpm ?? 0)} to ${formatPercent(highestPpm ?? 0)}${codes}.`
}

function describeSubheading({ codePrefix, condition, lineCount, lowestPpm, highestPpm }: MeasureRow): string {
  if (condition !== '') return ''
  const known = `The rate is known only for ${codeName(codePrefix)}`
  const others = `${known}; codes within it may have other rates.`
  if (lowestPpm === null || highestPpm === null) return lineCount === null ? others : ''
  if (lowestPpm !== highestPpm)
    return `${known}; national lines range from ${formatPercent(lowestPpm)} to ${formatPercent(highestPpm)}.`
  if (lineCount === null) return others
  return lineCount === 1
    ? `${known}, from a single national line.`
    : `${known}; all ${lineCount} national lines have this rate.`
}

function describeResidualLine({ entry }: Lot, measure: Measure): string {
  if (entry?.group === undefined || !isSameOrVariant(entry.measure, measure)) return ''
  const { group } = entry
  if (entry.knownPrefix === entry.lineCode) return describeEarlierLines(entry, group)
  const { lineCount, isUniform } = group
  const where = `under ${entry.knownPrefix}`
  const leftOut =
    group.leftOutCount === 0
      ? ''
      : `Lines ${where} for goods of another unit value are left out (${group.leftOutCount}).`
  if (lineCount === 1) return leftOut
  if (isUniform) return sentences(`All ${lineCount} lines ${where} have this rate.`, leftOut)
  return sentences(describeSpread(group, measure, where), leftOut)
}

/** "The rate is between 7.5% and 48%, depending on material and price; 20% is used (14 lines under 640411)." */
function describeSpread(group: TariffGroup, { rateText, row }: Measure, where: string): string {
  const { lineCount, lowestPpm, highestPpm, specificCount, bands, leftOutCount } = group
  const used = `${rateText} is used, the rate of ${row.codePrefix} (${lineCount} lines ${where}`
  if (specificCount === lineCount && highestPpm === 0)
    return `The rates are by quantity and differ; ${used}).`
  const isPriceOpen = bands.length > 0 && leftOutCount === 0
  const cause = isPriceOpen ? 'material and price' : 'material and use'
  const others = specificCount === 0 ? '' : `, ${specificCount} with an amount per quantity`
  const range = `between ${formatPercent(lowestPpm)} and ${formatPercent(highestPpm)}`
  return `The rate is ${range}, depending on ${cause}; ${used}${others}).`
}

/** A rate that the data set took from lines of an earlier edition of the HS. */
function describeEarlierLines({ measure: { row }, knownPrefix }: TariffEntry, group: TariffGroup): string {
  const { lineCount, isUniform, lowestPpm, highestPpm } = group
  const isOfEarlierEdition = row.lineCount !== null && row.level === 'line'
  const where = isOfEarlierEdition ? `replaced by ${knownPrefix} in HS 2022` : `under ${knownPrefix}`
  if (lineCount === 1) return isOfEarlierEdition ? `The rate of the only line ${where}.` : ''
  if (isUniform) return `All ${lineCount} lines ${where} have this rate.`
  const range = `range from ${formatPercent(lowestPpm)} to ${formatPercent(highestPpm)}`
  return `The usual rate of the ${lineCount} lines ${where}, which ${range}.`
}

function describeRowRange(measure: Measure): string {
  const range = rowRange(measure)
  if (range === undefined) return ''
  return `Rates for this code range from ${formatPercent(range.lowestPpm)} to ${formatPercent(range.highestPpm)}.`
}

function describeMissingPart(
  consignment: Consignment,
  { goods, lot, measure, missing }: MeasureFacts,
): string {
  const { row, rateText } = measure
  return sentences(
    row.condition === 'not_loaded'
      ? describeNotLoaded(rateText)
      : `The rate is ${rateText}; ${missing} cannot be calculated from this request.`,
    describeMissingRates(consignment, currenciesOf(measure)),
    describeGroup(lot, measure),
    describeOrigin(consignment, lot, measure),
    row.note,
    describeDataSet(consignment, row.dataSet, row.confidence),
    ...goods.remarks,
  )
}

function describeNotLoaded(rateText: string): string {
  return rateText === ''
    ? 'The rate of these goods is not loaded.'
    : `The rate is ${rateText}. The duty cannot be calculated from the loaded data.`
}

/** An average that is not part of the estimate. */
function describeUncounted(
  consignment: Consignment,
  { goods, lot, measure, amount }: DutyReasons['uncounted'],
  line: ExactLine,
): string {
  const { row } = measure
  const base = baseText(consignment, lot, measure, line)
  const percent = formatPercent(row.adValoremPpm ?? 0)
  return sentences(
    `Not counted: averages are excluded from this estimate.`,
    `${averageText(consignment, row)}: ${percent} of the ${base}, which is ${formatEuro(amount)}.`,
    describeIndividualRates(row),
    row.note,
    describeDataSet(consignment, row.dataSet, confidenceOf(lot, measure)),
    describeUnclaimedPreferences(consignment, lot),
    ...goods.remarks,
  )
}

function describeNoMeasure(consignment: Consignment, goods: Goods, lot: Lot): string {
  const { tables, to, sendingCountry } = consignment
  const origin = lot.origin === '' ? sendingCountry : lot.origin
  return sentences(
    tables.tariffs.has(tariffAreaOf(to))
      ? `The tariff loaded for ${to.name} has no duty for code ${goods.harmonizedCode} and origin ${origin}.`
      : `No tariff is loaded for ${to.name}.`,
    describeAverageRange(consignment, lot),
    describeUnclaimedPreferences(consignment, lot),
    reliefRemark(to),
    describeUnverified(consignment, 'duty', goods.harmonizedCode),
    to.note,
    ...goods.remarks,
  )
}

/** The range of the averages of a country, for goods without a rate. */
function describeAverageRange(consignment: Consignment, { facts: { averageRange } }: Lot): string {
  if (averageRange === undefined) return ''
  const { goods, lowestPpm, highestPpm, note, dataSet } = averageRange.row
  const range = `between ${formatPercent(lowestPpm ?? 0)} and ${formatPercent(highestPpm ?? 0)}`
  return sentences(
    `The average duty on ${goods} in ${consignment.to.name} is ${range}.`,
    note,
    describeDataSet(consignment, dataSet, 'low'),
  )
}
