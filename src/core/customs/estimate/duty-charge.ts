/**
 * Duties of the tariff as charges, with what their lines say: rate, basis, assumption, data set and date, and the
 * range where a six-digit code is not uniform. Source: design note on customs; decision 13 of the README.
 */

import { describeExchangeRate, findExchangeRate } from '../data/exchange-rate.ts'
import type { JurisdictionRow } from '../data/rows.ts'
import { type Exact, formatQuantity, isZero } from '../exact.ts'
import { formatPercent } from '../tariff/duty-text.ts'
import type { Measure } from '../tariff/measure.ts'
import { ALL_ORIGINS } from '../tariff/origin.ts'
import type { TariffGroup } from '../tariff/tariff.ts'
import { Charge, EmptyCharge } from './charge.ts'
import { type Consignment, customsAreaOf, describeRounding } from './consignment.ts'
import { countItems, type Goods, type Lot } from './goods.ts'
import { addQuantities, type MeasureAmount, preferencesFor, quantitiesOf } from './measure-amount.ts'
import { describeDataSet, formatEuro, type LineSource, sentences } from './tax-line.ts'

const NOT_ESTIMATED = 'Import duty (not estimated)'

/** A measure that was worked out for a lot. */
export type Applied = { readonly measure: Measure; readonly result: MeasureAmount }

/** A measure that was worked out, as far as it can be. */
export class DutyCharge extends Charge {
  private readonly goods: Goods
  private readonly lot: Lot
  private readonly measure: Measure
  private readonly missing: string

  constructor(consignment: Consignment, goods: Goods, lot: Lot, name: string, { measure, result }: Applied) {
    const { amount, base } = result
    super(consignment, goods.harmonizedCode, 'DUTY', name, amount, base, true, itemsOf(goods, lot))
    this.goods = goods
    this.lot = lot
    this.measure = measure
    this.missing = result.missing
  }

  get ratePercent(): string | undefined {
    const { isShareOnly, row } = this.measure
    const isShare = isShareOnly || this.missing !== ''
    return isShare && row.adValoremPpm !== null ? percentOf(row.adValoremPpm) : undefined
  }

  get source(): LineSource {
    return sourceOf(this.lot, this.measure)
  }

  describe(): string {
    const { amount, base, missing } = this
    return describeDuty(this.consignment, this.goods, this.lot, this.measure, { amount, base, missing })
  }

  product(): string {
    return formulaOf(this.measure, this.lot, this.base, this.missing)
  }
}

function itemsOf(goods: Goods, lot: Lot): readonly number[] {
  return goods.lots.length === 1 ? goods.items : lot.items.map(({ index }) => index)
}

/** 65000 parts per million is "6.5". */
export function percentOf(ppm: number): string {
  return formatPercent(ppm).slice(0, -1)
}

function sourceOf({ entry }: Lot, measure: Measure): LineSource {
  const { row, rateText } = measure
  const group = entry?.measure === measure ? entry.group : undefined
  return {
    dataSet: row.dataSet,
    measureType: row.measureType,
    codePrefix: row.codePrefix,
    origin: row.originGroup,
    ...(row.agreement !== '' && { agreement: row.agreement }),
    rateText,
    ...(group !== undefined && { range: rangeOf(group) }),
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: row.confidence,
  }
}

function rangeOf({ lowestPpm, highestPpm }: TariffGroup) {
  return { lowestPercent: percentOf(lowestPpm), highestPercent: percentOf(highestPpm) }
}

function formulaOf(measure: Measure, lot: Lot, base: Exact, missing: string): string {
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

type WorkedOut = Pick<MeasureAmount, 'amount' | 'base' | 'missing'>

function describeDuty(
  consignment: Consignment,
  goods: Goods,
  lot: Lot,
  measure: Measure,
  result: WorkedOut,
): string {
  const { row, type } = measure
  const { dataSets } = consignment.tables
  return sentences(
    describeRate(consignment, lot, measure, result),
    describeGroup(lot, measure),
    describeOrigin(consignment, lot, measure),
    row.note,
    describeConversion(consignment, measure),
    type.role === 'base' ? describeLeftOut(consignment) : '',
    describeDataSet(dataSets, row.dataSet, row.confidence),
    type.role === 'base' ? describeOpenPreferences(consignment, goods, lot) : '',
    describeRounding(consignment),
    ...(type.role === 'additional' ? [] : goods.remarks),
  )
}

function describeRate(
  consignment: Consignment,
  lot: Lot,
  measure: Measure,
  { base, missing, amount }: WorkedOut,
): string {
  const { row, isShareOnly, rateText } = measure
  const value = describeBase(consignment, lot, measure, base)
  if (!isShareOnly && (missing === '' || measure.base.specifics.length > 0)) {
    const part = missing === '' ? '' : `, without ${missing}`
    return `${rateText} on ${quantityText(measure, lot)}, ${value}${part}.`
  }
  const percent = formatPercent(row.adValoremPpm ?? 0)
  switch (row.kind) {
    case 'additive':
    case 'replace_base':
      return `${row.adValoremPpm === 0 && missing === '' ? 'Free of duty: ' : ''}${percent} of the ${value}.`
    case 'cap_total': {
      const none = isZero(amount) ? ' and nothing is left' : ''
      return `The base duty, as far as it is known, is topped up to ${percent} of the ${value}${none}.`
    }
    case 'floor_total':
      return `All duties together come to at least ${percent} of the ${value}.`
  }
}

/** How much of the goods a rate counts: "12 items, 9 l". */
function quantityText({ base, minimum, maximum }: Measure, lot: Lot): string {
  const quantities = lot.items.map(({ item }) => quantitiesOf(item)).reduce(addQuantities)
  const parts = [base, minimum, maximum].flatMap((sum) => sum?.specifics ?? [])
  const count = countItems(lot)
  const texts = [`${count} ${count === 1 ? 'item' : 'items'}`]
  for (const quantity of new Set(parts.map(({ unit }) => unit.quantity))) {
    const amount = quantity === 'items' ? undefined : quantities.get(quantity)
    if (amount !== undefined) texts.push(`${formatQuantity(amount)} ${quantity}`)
  }
  return texts.join(', ')
}

function describeBase(consignment: Consignment, lot: Lot, { row }: Measure, base: Exact): string {
  if (row.basis === 'duty') return `duties before it, ${formatEuro(base)}`
  if (consignment.to.valuation === 'FOB') return `goods value ${formatEuro(base)}`
  if (!consignment.isFreightGiven) return `goods value ${formatEuro(base)} (freight and insurance not given)`
  const parts = `goods ${formatEuro(lot.goodsValue)}, freight and insurance ${formatEuro(lot.freight)}`
  return `customs value ${formatEuro(base)} (${parts})`
}

function describeConversion({ tables, date }: Consignment, measure: Measure): string {
  const currency = measure.base.specifics[0]?.currency ?? 'EUR'
  const rate = findExchangeRate(tables.exchangeRates, currency, date)
  return rate === undefined || currency === 'EUR' ? '' : `${currency}${describeExchangeRate(rate)}.`
}

/** Only where the origin decides is anything said of it. */
function describeOrigin({ sendingCountry }: Consignment, { origin }: Lot, { row, type }: Measure): string {
  if (type.role === 'preference')
    return `Preference under ${row.agreement === '' ? 'an agreement' : row.agreement} for goods of origin ${origin}; proof of origin is required.`
  if (row.originGroup === ALL_ORIGINS) return ''
  return origin === ''
    ? `For goods of origin ${sendingCountry}, the sending country, since no origin is given.`
    : `For goods of origin ${origin}.`
}

/** The measure type of anti-dumping duties, which only a tariff that an operator imports brings. */
const ANTI_DUMPING = 'anti_dumping'

function describeLeftOut({ tables }: Consignment): string {
  return tables.measureTypes.has(ANTI_DUMPING)
    ? 'Quotas and suspensions are not considered.'
    : 'Anti-dumping duties, quotas and suspensions are not considered.'
}

/** What an origin might bring that is not charged here. */
function describeOpenPreferences(consignment: Consignment, goods: Goods, lot: Lot): string {
  if (lot.origin === '') return ''
  const open = preferencesFor(consignment, goods, lot).filter(({ row }) => row.condition !== '')
  const [first] = open
  if (first === undefined) return `No preference is claimed for origin ${lot.origin}.`
  return `A preference under ${first.row.agreement} may lower this duty; its rates are not loaded.`
}

/** How the rate of a group of lines was found; nothing where a single line decided. */
function describeGroup({ entry }: Lot, measure: Measure): string {
  if (entry?.group === undefined || entry.measure !== measure) return ''
  const { lineCount, isUniform, isTied, lowestPpm, highestPpm, specificCount }: TariffGroup = entry.group
  const isEarlier = entry.measure.row.lineCount !== null
  const where = isEarlier ? `replaced by ${entry.knownPrefix} in HS 2022` : `under ${entry.knownPrefix}`
  if (lineCount === 1) return isEarlier ? `The rate of the one line ${where}.` : ''
  if (isUniform) return `All ${lineCount} lines ${where} carry this rate.`
  const usual = isTied ? 'The highest of the most frequent rates' : 'The usual rate'
  const lines = `${usual} of the ${lineCount} lines ${where}`
  if (specificCount === lineCount && highestPpm === 0)
    return `${lines}, which charge by quantity at different rates.`
  const others = specificCount === 0 ? '' : `, ${specificCount} with an amount per quantity`
  return `${lines}, which range from ${formatPercent(lowestPpm)} to ${formatPercent(highestPpm)}${others}.`
}

/** The part of a measure that cannot be worked out. */
export function missingDutyCharge(
  consignment: Consignment,
  goods: Goods,
  lot: Lot,
  measure: Measure,
  { missing, hasAmount }: MeasureAmount,
): Charge {
  const { row, rateText } = measure
  const figures = {
    harmonizedCode: goods.harmonizedCode,
    kind: 'DUTY',
    name: `${measure.name}${hasAmount ? ', part not estimated' : ' (not estimated)'}`,
    base: lot.customsValue,
    computed: false,
    items: itemsOf(goods, lot),
  } as const
  const why = () =>
    sentences(
      `The rate is ${rateText}; ${missing} cannot be worked out from this request.`,
      describeGroup(lot, measure),
      describeOrigin(consignment, lot, measure),
      row.note,
      describeDataSet(consignment.tables.dataSets, row.dataSet, row.confidence),
      ...goods.remarks,
    )
  return new EmptyCharge(consignment, figures, why, () => sourceOf(lot, measure))
}

/** Goods that no tariff says anything of. */
export function unknownDutyCharge(consignment: Consignment, goods: Goods, lot: Lot): Charge {
  const { tables, to } = consignment
  const why = tables.tariffs.has(customsAreaOf(to))
    ? `The duties loaded for ${to.name} have none for code ${goods.harmonizedCode}${originPart(consignment, lot)}.`
    : `No tariff is loaded for ${to.name}.`
  const figures = {
    harmonizedCode: goods.harmonizedCode,
    kind: 'DUTY',
    name: NOT_ESTIMATED,
    base: lot.customsValue,
    computed: false,
    items: itemsOf(goods, lot),
  } as const
  return new EmptyCharge(consignment, figures, () =>
    sentences(
      why,
      describeOpenPreferences(consignment, goods, lot),
      reliefRemark(to),
      to.note,
      ...goods.remarks,
    ),
  )
}

function originPart({ sendingCountry }: Consignment, { origin }: Lot): string {
  return ` and origin ${origin === '' ? sendingCountry : origin}`
}

/** Said wherever a low-value rule may exist that the data does not hold. */
export function reliefRemark(to: JurisdictionRow): string {
  return to.reliefs === 'considered' ? '' : 'Low-value reliefs are not considered.'
}
