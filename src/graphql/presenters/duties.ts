/**
 * Converts estimates to the types of the schema. Fields that need more work than the amounts are in
 * resolvers/estimate-fields.ts, because they are calculated only if they are selected.
 */
import type { CountryCoverage } from '../../core/customs/coverage.ts'
import { agedConfidence, isOverdue, nextEditionDue } from '../../core/customs/data/edition.ts'
import type { RestrictionSeverity } from '../../core/customs/data/row-types/restrictions.ts'
import type { Confidence } from '../../core/customs/data/row-types/table.ts'
import type { DataSetRow } from '../../core/customs/data/rows.ts'
import type { Consignment } from '../../core/customs/estimate/consignment.ts'
import type { DutiesEstimate, ItemEstimate } from '../../core/customs/estimate/estimate.ts'
import type { EstimateRange } from '../../core/customs/estimate/explain/estimate-range.ts'
import { lineBaseCents, lineLeastCents } from '../../core/customs/estimate/explain/line.ts'
import type { LineSource, RateRange } from '../../core/customs/estimate/explain/text.ts'
import { collectorOf } from '../../core/customs/estimate/import-schemes/collector.ts'
import { schemeOfSome } from '../../core/customs/estimate/import-schemes/seller-scheme.ts'
import type { TaxLine } from '../../core/customs/estimate/tax-line.ts'
import { COST_PLACES, type ContentItem } from '../../core/customs/request.ts'
import { percentOf } from '../../core/customs/tariff/duty-text.ts'
import { ALL_ORIGINS } from '../../core/customs/tariff/measure.ts'
import type { GoodsFacts } from '../../core/goods-facts.ts'
import { formatDecimal, withoutTrailingZeros } from '../../core/quantity.ts'
import type { Restriction } from '../../core/restrictions/restrictions.ts'
import type { DatedEstimate } from '../../operations/estimate-duties.ts'
import type {
  Money,
  Reliability,
  ResolversParentTypes,
  RestrictionSeverity as Severity,
} from '../generated.ts'
import { presentInputProblem, presentMoney, presentWeight, type Typed } from './typed.ts'

type Presented = ResolversParentTypes['DutiesEstimate'] & Pick<Typed<DutiesEstimate>, '__typename'>

const RELIABILITY: Readonly<Record<Confidence, Reliability>> = {
  high: 'HIGH',
  medium: 'MEDIUM',
  low: 'LOW',
}

const SEVERITY: Readonly<Record<RestrictionSeverity, Severity>> = {
  prohibited: 'PROHIBITED',
  licence_required: 'LICENCE_REQUIRED',
  conditions_apply: 'CONDITIONS_APPLY',
  carrier_restricted: 'CARRIER_RESTRICTED',
}

export function presentEstimate(estimate: DatedEstimate): Presented {
  const { kind, estimateCents, hsCode, complete, customsValueCents, date } = estimate
  return {
    __typename: kind,
    total: presentMoney(estimateCents),
    ...presentCollection(estimate),
    hsCode: orNull(hsCode),
    complete,
    customsValue: presentMoney(customsValueCents),
    date,
    estimate,
  }
}

/** What the seller collects, and the rest. */
function presentCollection({ estimateCents, checkoutCents, consignment }: DutiesEstimate) {
  const used = schemeOfSome(consignment)
  return {
    dueAtCheckout: presentMoney(checkoutCents),
    dueOnDelivery: presentMoney(estimateCents - checkoutCents),
    sellerScheme:
      used === undefined
        ? null
        : { scheme: used.scheme.row.scheme, name: used.scheme.row.name, basis: used.basis },
  }
}

export function presentTaxes(
  estimate: DutiesEstimate,
  contentItems: readonly ContentItem[],
): readonly ResolversParentTypes['TaxLine'][] {
  return estimate.taxes.map((line) => presentTax(line, estimate, contentItems))
}

export function presentTax(
  line: TaxLine,
  estimate: DutiesEstimate,
  contentItems: readonly ContentItem[],
): ResolversParentTypes['TaxLine'] {
  const { harmonizedCode, kind, name, computed } = line
  const leastCents = lineLeastCents(line)
  return {
    hsCode: harmonizedCode,
    kind,
    name,
    amount: presentMoney(line.amountCents),
    base: presentMoney(lineBaseCents(line)),
    collectedBy: collectorOf(estimate.consignment, line),
    calculated: computed,
    leastAmount: leastCents === undefined ? null : presentMoney(leastCents),
    line,
    estimate,
    contentItems,
  }
}

export function presentItem(
  item: ItemEstimate,
  estimate: DatedEstimate,
): ResolversParentTypes['ItemEstimate'] {
  const { index, customsValueCents, problem } = item
  return {
    index,
    customsValue: presentMoney(customsValueCents),
    problem: problem === undefined ? null : presentInputProblem(problem),
    item,
    estimate,
  }
}

/** An estimate of the same goods under another assumption. */
export function presentVariant(variant: DutiesEstimate, actual: DatedEstimate) {
  return {
    total: presentMoney(variant.estimateCents),
    ...presentCollection(variant),
    difference: presentMoney(variant.estimateCents - actual.estimateCents),
    complete: variant.complete,
    variant,
    contentItems: actual.contentItems,
  }
}

export function presentItemAt(
  items: readonly ContentItem[],
  index: number,
): ResolversParentTypes['ContentItem'] {
  const item = items[index]
  if (item === undefined) throw new Error(`the estimate has no item ${index}`)
  return presentContentItem(item)
}

const QUANTITY_PLACES = 6

export function presentContentItem(item: ContentItem): ResolversParentTypes['ContentItem'] {
  const { description, numberOfItems, costSteps, weightGrams } = item
  return {
    description,
    count: numberOfItems,
    value: presentValue(costSteps),
    hsCode: item.tariff ?? null,
    originCountry: item.originCountry ?? null,
    weight: weightGrams === undefined ? null : presentWeight(weightGrams),
    quantities: (item.quantities ?? []).map(({ unit, amountMicros }) => ({
      unit,
      amount: formatDecimal(amountMicros, QUANTITY_PLACES),
    })),
    additionalCode: item.additionalCode ?? null,
    sku: item.sku ?? null,
    facts: item.facts === undefined ? null : presentFacts(item.facts),
    // From parts per million to percent.
    alcoholPercent:
      item.alcoholPpm === undefined ? null : withoutTrailingZeros(formatDecimal(item.alcoholPpm, 4)),
  }
}

function presentFacts(facts: GoodsFacts): ResolversParentTypes['GoodsFacts'] {
  return {
    material: facts.material ?? null,
    composition: facts.composition ?? null,
    madeFor: facts.madeFor ?? null,
    category: facts.category ?? null,
    brand: facts.brand ?? null,
    use: facts.use ?? null,
    construction: facts.construction ?? null,
  }
}

/** With two decimals, or as many as the value has. */
function presentValue(costSteps: number): Money {
  const cents = costSteps / 10 ** (COST_PLACES - 2)
  if (Number.isInteger(cents)) return presentMoney(cents)
  return { amount: formatDecimal(costSteps, COST_PLACES), currency: 'EUR' }
}

/** `reliability`: of the line, or of the rule alone. */
export function presentSource(
  source: LineSource,
  { tables: { dataSets }, date }: Pick<Consignment, 'tables' | 'date'>,
  reliability: Confidence,
): ResolversParentTypes['CustomsRule'] {
  const { measureType, codePrefix, origin, agreement, rateText, range, validFrom, validTo } = source
  const dataSet = dataSets.get(source.dataSet)
  return {
    type: measureType,
    hsCodePrefix: orNull(codePrefix),
    origin: origin === ALL_ORIGINS ? null : orNull(origin),
    agreement: orNull(agreement),
    publishedRate: orNull(rateText),
    publishedRange: range === undefined ? null : presentRange(range),
    validFrom,
    validTo,
    reliability: RELIABILITY[reliability],
    dataSet: dataSet === undefined ? null : presentDataSet(dataSet, date),
  }
}

export function presentRange({
  lowestPercent,
  highestPercent,
}: RateRange): ResolversParentTypes['PercentRange'] | null {
  return lowestPercent === highestPercent ? null : { lowestPercent, highestPercent }
}

/** `day`: that of the estimate. */
export function presentRestriction(
  { row, dataSet, items }: Restriction,
  day: string,
): ResolversParentTypes['Restriction'] {
  const { rule, severity, text, source, readOn, validFrom, validTo, confidence } = row
  return {
    severity: SEVERITY[severity],
    text,
    itemIndexes: items,
    rule: {
      name: rule,
      source: orNull(source),
      readOn,
      validFrom,
      validTo,
      reliability: RELIABILITY[agedConfidence(confidence, dataSet, day)],
      dataSet: dataSet === undefined ? null : presentDataSet(dataSet, day),
    },
  }
}

function presentDataSet(dataSet: DataSetRow, day: string): ResolversParentTypes['DataSet'] {
  const { name, title, source, date } = dataSet
  return {
    name,
    title,
    source,
    date,
    nextEditionDue: nextEditionDue(dataSet) ?? null,
    isOverdue: isOverdue(dataSet, day),
  }
}

export function presentReliability(confidence: Confidence): Reliability {
  return RELIABILITY[confidence]
}

export function presentEstimateRange({
  leastCents,
  likelyCents,
  mostCents,
  withoutBound,
  decision,
}: EstimateRange): ResolversParentTypes['EstimateRange'] {
  return {
    least: presentMoney(leastCents),
    likely: presentMoney(likelyCents),
    most: mostCents === undefined ? null : presentMoney(mostCents),
    decision: orNull(decision),
    withoutBound,
  }
}

export function orNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

/** `day`: that of the coverage. */
export function presentCoverage(
  coverage: CountryCoverage,
  day: string,
): ResolversParentTypes['CountryCoverage'] {
  const { duties, taxes, confidence, ...rest } = coverage
  const { NATIONAL_LINE, SUBHEADING, GROUP_AVERAGE, NOT_LOADED } = duties.chapters
  return {
    ...rest,
    basis: duties.basis,
    chapters: {
      nationalLine: NATIONAL_LINE,
      subheading: SUBHEADING,
      groupAverage: GROUP_AVERAGE,
      notLoaded: NOT_LOADED,
    },
    dataSets: duties.dataSets.map((dataSet) => presentDataSet(dataSet, day)),
    taxes: taxes.map(({ name, status, ratePpm }) => ({
      name,
      ratePercent: ratePpm === undefined ? null : percentOf(ratePpm),
      levied: status !== 'none',
    })),
    reliability: RELIABILITY[confidence],
  }
}
