/**
 * Import duty on goods of one code. Decided here: a low-value rule before the tariff; a share of the value and
 * amounts per item are computed, any other part gets a line of its own at zero that says so.
 * Source: specification 4.2; decisions 13, 14 and 16 of the README; design note on customs.
 */
import { describeBasis } from './customs-value.ts'
import { type DutyParts, formatPercent, formatSpecific, type SpecificPart } from './duty-text.ts'
import { centsOf, compare, type Exact, exactOf, excess, plus, shareOfExact, times, ZERO } from './exact.ts'
import { describeExchangeRate, findExchangeRate, toEuro } from './exchange-rate.ts'
import { type CodedItem, type Goods, givenOrigins } from './goods.ts'
import type { JurisdictionRow } from './reference-rows.ts'
import type { CustomsTables } from './tables.ts'
import type { Measure, TariffGroup } from './tariff.ts'
import { describeDataSet, formatEuro, sentences, type TaxLine } from './tax-line.ts'
import { type AppliedThreshold, type Consignment, findValueThreshold } from './threshold.ts'

/** Where goods are imported, and with what. */
export type Import = {
  readonly tables: CustomsTables
  readonly to: JurisdictionRow
  readonly consignment: Consignment
}

/** The duty on goods. */
export type Duty = {
  readonly lines: readonly TaxLine[]
  /** Unrounded, for the base of taxes. */
  readonly amount: Exact
  /** False when a part of it could not be estimated. */
  readonly isWhole: boolean
  /** What the base of taxes has to say of it. */
  readonly remark: string
}

/** Goods that move inside one customs area. */
export const NO_DUTY: Duty = {
  lines: [],
  amount: ZERO,
  isWhole: true,
  remark: 'Inside one customs area no import duty is due.',
}

const NOT_IN_BASE = 'The import duty that could not be estimated is not in the base.'

const MFN_NAME = 'Most-favoured-nation duty'
const FLAT_NAME = 'Flat-rate customs duty'
const NOT_ESTIMATED_NAME = 'Import duty (not estimated)'
const SPECIFIC_NAME = 'Import duty, specific part (not estimated)'

/** The customs area whose tariff and reliefs apply. */
export function customsAreaOf(to: JurisdictionRow): string {
  return to.customsAreas[0] ?? to.code
}

/** Works out the duty on goods imported from outside the customs area. */
export function dutyOn(into: Import, goods: Goods): Duty {
  const key = `${customsAreaOf(into.to)} duty`
  const applied = findValueThreshold(into.tables, key, goods.harmonizedCode, into.consignment)
  if (applied !== undefined) return thresholdDuty(into, goods, applied)
  if (goods.entry === undefined) return unknownDuty(into, goods)
  return tariffDuty(into, goods, goods.entry.measure)
}

function lineOf(goods: Goods, name: string, amount: Exact, description: string): TaxLine {
  return {
    harmonizedCode: goods.harmonizedCode,
    kind: 'DUTY',
    name,
    amountCents: centsOf(amount),
    baseCents: centsOf(goods.value),
    description,
    computed: true,
  }
}

function thresholdDuty(into: Import, goods: Goods, { threshold, limit, remark }: AppliedThreshold): Duty {
  const source = describeDataSet(into.tables.dataSets, threshold.dataSet)
  const whole = (name: string, amount: Exact, why: string): Duty => ({
    lines: [lineOf(goods, name, amount, sentences(`${why}.`, source, ...goods.remarks))],
    amount,
    isWhole: true,
    remark: '',
  })
  switch (threshold.kind) {
    case 'relief_up_to':
    case 'not_levied_up_to':
      return whole(MFN_NAME, ZERO, `No duty: ${threshold.reason}; ${remark}`)
    case 'flat_per_item': {
      const origins = givenOrigins(goods)
      const count = Math.max(1, origins.length)
      const each = count === 1 ? '' : `; ${count} origins (${origins.join(', ')}) count as ${count} items`
      const assumed = threshold.recipient === 'individual' ? '; a sale to a consumer is assumed' : ''
      const flat = times(threshold.flat, BigInt(count), 1n)
      return whole(FLAT_NAME, flat, `${threshold.reason}; ${remark}${each}${assumed}`)
    }
    case 'taxed_excess': {
      const share = excessShare(goods.value, into.consignment.value, limit)
      const amount = shareOfExact(share, threshold.ratePpm ?? 0)
      const why = compare(share, ZERO) === 0 ? 'No duty: levied only as ' : ''
      return whole(FLAT_NAME, amount, `${why}${threshold.reason}; ${remark}`)
    }
  }
}

/** The part of `value` that exceeds the limit when the excess of the consignment is spread by value. */
export function excessShare(value: Exact, consignment: Exact, limit: Exact): Exact {
  const over = excess(consignment, limit)
  if (over.numerator === 0n) return ZERO
  return times(value, over.numerator * consignment.denominator, over.denominator * consignment.numerator)
}

function unknownDuty({ tables, to }: Import, goods: Goods): Duty {
  const why = tables.tariffs.has(customsAreaOf(to))
    ? `The tariff loaded for ${to.name} has no rate for code ${goods.harmonizedCode}.`
    : `No tariff is loaded for ${to.name}.`
  const description = sentences(why, reliefRemark(to), to.note, ...goods.remarks)
  const line = { ...lineOf(goods, NOT_ESTIMATED_NAME, ZERO, description), computed: false }
  return { lines: [line], amount: ZERO, isWhole: false, remark: NOT_IN_BASE }
}

/** Said wherever a low-value rule may exist that the data does not hold. */
export function reliefRemark(to: JurisdictionRow): string {
  return to.reliefs === 'considered' ? '' : 'Low-value reliefs are not considered.'
}

function tariffDuty(into: Import, goods: Goods, measure: Measure): Duty {
  const rest = incomputablePart(into, measure)
  const lines: TaxLine[] = []
  let amount = ZERO
  if (rest === '' || measure.row.adValoremPpm !== null) {
    for (const coded of goods.items) amount = plus(amount, itemDuty(into, measure, coded, rest === ''))
    const line = lineOf(goods, MFN_NAME, amount, describeTariffDuty(into, goods, measure, rest === ''))
    const isShare = rest !== '' || isShareOnly(measure)
    lines.push(
      isShare && measure.row.adValoremPpm !== null ? { ...line, ratePercent: percentOf(measure) } : line,
    )
  }
  if (rest !== '') {
    const source = describeDataSet(into.tables.dataSets, measure.row.dataSet)
    const why = `The rate is ${measure.rateText}; ${rest} cannot be worked out from this request.`
    const description = sentences(why, describeGroup(goods), source, ...goods.remarks)
    lines.push({ ...lineOf(goods, SPECIFIC_NAME, ZERO, description), computed: false })
  }
  return { lines, amount, isWhole: rest === '', remark: rest === '' ? '' : NOT_IN_BASE }
}

function isShareOnly(measure: Measure): boolean {
  return measure.specifics.length === 0 && measure.row.minimum === '' && measure.row.maximum === ''
}

function percentOf(measure: Measure): string {
  return formatPercent(measure.row.adValoremPpm ?? 0).slice(0, -1)
}

/** What of a rate needs more than value and number of items, in words; empty when nothing does. */
function incomputablePart(into: Import, measure: Measure): string {
  switch (measure.row.condition) {
    case 'entry_price':
      return 'the duty under the entry price system'
    case 'meursing':
      return 'the agricultural component'
    case 'seasonal':
    case '':
      break
  }
  const parts = [
    ...measure.specifics,
    ...(measure.minimumParts?.specifics ?? []),
    ...(measure.maximumParts?.specifics ?? []),
  ]
  const open = parts.filter((part) => !isComputable(into, part))
  if (open.length > 0) return `the amount per quantity (${open.map(formatSpecific).join(', ')})`
  return measure.row.adValoremPpm === null && parts.length === 0 ? 'the amount per quantity' : ''
}

function isComputable({ tables, consignment }: Import, part: SpecificPart): boolean {
  return (
    part.perItems !== undefined &&
    findExchangeRate(tables.exchangeRates, part.currency, consignment.date) !== undefined
  )
}

function itemDuty(into: Import, measure: Measure, coded: CodedItem, isWhole: boolean): Exact {
  const share = { ...(measure.row.adValoremPpm !== null && { adValoremPpm: measure.row.adValoremPpm }) }
  if (!isWhole) return amountOf(into, { ...share, specifics: [] }, coded)
  let amount = amountOf(into, { ...share, specifics: measure.specifics }, coded)
  if (measure.minimumParts !== undefined) {
    const floor = amountOf(into, measure.minimumParts, coded)
    if (compare(amount, floor) < 0) amount = floor
  }
  if (measure.maximumParts !== undefined) {
    const cap = amountOf(into, measure.maximumParts, coded)
    if (compare(amount, cap) > 0) amount = cap
  }
  return amount
}

function amountOf({ tables, consignment }: Import, parts: DutyParts, { item, value }: CodedItem): Exact {
  let amount = parts.adValoremPpm === undefined ? ZERO : shareOfExact(value, parts.adValoremPpm)
  for (const { amountSteps, currency, perItems } of parts.specifics) {
    const rate = findExchangeRate(tables.exchangeRates, currency, consignment.date)
    if (rate === undefined || perItems === undefined) continue
    const units = times(exactOf(amountSteps, 4), BigInt(item.numberOfItems), BigInt(perItems))
    amount = plus(amount, toEuro(units, rate))
  }
  return amount
}

function describeTariffDuty(into: Import, goods: Goods, measure: Measure, isWhole: boolean): string {
  const origins = givenOrigins(goods)
  return sentences(
    describeRate(goods, measure, isWhole, describeBasis(into.to.valuation)),
    measure.row.condition === 'seasonal'
      ? `The rate depends on the season (${measure.row.text}); the first is used.`
      : '',
    describeGroup(goods),
    measure.row.note,
    describeConversion(into, measure),
    'Additional duties such as anti-dumping are not considered.',
    describeDataSet(into.tables.dataSets, measure.row.dataSet),
    origins.length === 0 ? '' : `No preference is claimed for origin ${origins.join(', ')}.`,
    ...goods.remarks,
  )
}

function describeRate(goods: Goods, measure: Measure, isWhole: boolean, basis: string): string {
  const value = `${formatEuro(goods.value)}${basis}`
  if (isWhole && !isShareOnly(measure)) {
    const count = goods.items.reduce((sum, { item }) => sum + item.numberOfItems, 0)
    return `${measure.rateText} on ${count} ${count === 1 ? 'item' : 'items'}, goods value ${value}.`
  }
  const free = measure.row.adValoremPpm === 0 && isWhole ? 'Free of duty: ' : ''
  return `${free}${percentOf(measure)}% of the goods value ${value}.`
}

function describeConversion({ tables, consignment }: Import, measure: Measure): string {
  const currency = measure.specifics[0]?.currency ?? 'EUR'
  const rate = findExchangeRate(tables.exchangeRates, currency, consignment.date)
  return rate === undefined || currency === 'EUR' ? '' : `${currency}${describeExchangeRate(rate)}.`
}

/** How the rate of a group of lines was found; nothing where a single line decided. */
function describeGroup({ entry }: Goods): string {
  if (entry?.group === undefined) return ''
  const { lineCount, isUniform, lowestPpm, highestPpm, specificCount }: TariffGroup = entry.group
  const isEarlier = entry.measure.row.lineCount !== null
  const where = isEarlier ? `replaced by ${entry.knownPrefix} in HS 2022` : `under ${entry.knownPrefix}`
  if (lineCount === 1) return isEarlier ? `The rate of the one line ${where}.` : ''
  if (isUniform) return `All ${lineCount} lines ${where} carry this rate.`
  const lines = `The usual rate of the ${lineCount} lines ${where}`
  if (specificCount === lineCount && highestPpm === 0)
    return `${lines}, which charge by quantity at different rates.`
  const others = specificCount === 0 ? '' : `, ${specificCount} with an amount per quantity`
  return `${lines}, which range from ${formatPercent(lowestPpm)} to ${formatPercent(highestPpm)}${others}.`
}
