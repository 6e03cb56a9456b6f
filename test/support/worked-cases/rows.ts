/**
 * Converts a worked case to customs rows and a request. The only destination has the rates of the case. The exchange rate
 * is 1, so nothing is converted. The destination is its own jurisdiction even if it belongs to a customs union.
 */
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import type { FeeRow } from '../../../src/core/customs/data/tables/fees.ts'
import type { Valuation } from '../../../src/core/customs/data/tables/places.ts'
import type { ThresholdRow } from '../../../src/core/customs/data/tables/thresholds.ts'
import type { DutiesRequest } from '../../../src/core/customs/request.ts'
import { BASE_MEASURE_TYPE } from '../../../src/core/customs/tariff/tariff.ts'
import { readShippedCustomsData } from '../../../src/reference/customs.ts'
import {
  customsRows,
  exchangeRate,
  fee,
  jurisdiction,
  tax,
  taxRate,
  threshold,
} from '../customs/customs-rows.ts'
import type { CaseDraft, LimitDraft } from './draft.ts'
import type { WorkedCase } from './file.ts'
import { type CodedGoods, goodsOf } from './goods.ts'
import { measureOf, measureTypesOf, type OrderedDuty, orderedDuties } from './measures.ts'
import { type Charged, nameCharges } from './names.ts'
import { sharedPpm } from './setters.ts'

export type TranslatedCase = {
  readonly rows: CustomsRows
  readonly request: DutiesRequest
  readonly codes: readonly string[]
  /** The published name of a rule that replaces the tariff. */
  readonly flatName?: string
  /** Names of lines that are computed but not compared. */
  readonly hidden: ReadonlySet<string>
}

/** Converts a draft. Problems are added to its ledger. */
export function assemble(workedCase: WorkedCase, draft: CaseDraft): TranslatedCase {
  const excess = takeExcessRate(draft)
  const duties = orderedDuties(draft)
  const goods = goodsOf(workedCase, draft)
  const flats = draft.limits.filter(({ row }) => row.appliesTo === 'duty' && isInPlace(row.kind))
  const [flat] = flats
  const flatCharge: Charged | undefined = flat && {
    kind: 'duty',
    hint: flat.hint ?? '',
    isModest: false,
    ...(excess ?? (flat.name === undefined ? {} : { name: flat.name })),
  }
  const taxes = draft.taxes.map((one): Charged => charged('tax', one))
  const fees = draft.fees.map((one): Charged => charged('fee', one))
  const dutyCharges = duties.map((duty) => duty.charged)
  nameCharges(
    [...(flatCharge === undefined ? [] : [flatCharge]), ...dutyCharges, ...taxes, ...fees],
    workedCase.lines.map(({ name }) => name),
  )
  return {
    rows: customsRows({
      jurisdictions: [destinationOf(workedCase, draft), jurisdiction(goods.request.from.country)],
      exchangeRates:
        workedCase.currency === 'EUR' ? [] : [exchangeRate(workedCase.currency, '1', '1900-01-01')],
      measureTypes: measureTypesOf(duties),
      measures: duties.flatMap((duty) => measuresOf(workedCase, goods.goods, duty)),
      ...taxRowsOf(workedCase, draft, goods.goods, taxes),
      fees: draft.fees.map((one, index) =>
        feeRow(workedCase, draft, one.row, fees[index]?.name ?? '', index),
      ),
      thresholds: draft.limits.map((limit) => limitRow(workedCase, draft, limit)).sort(byReach),
    }),
    request: goods.request,
    codes: goods.goods.map(({ code }) => code),
    ...(flatCharge?.name !== undefined && { flatName: flatCharge.name }),
    hidden: new Set(duties.flatMap((one) => (one.duty.isHidden ? [one.charged.name ?? ''] : []))),
  }
}

function charged(
  kind: Charged['kind'],
  { name, hint }: { readonly name?: string; readonly hint: string },
): Charged {
  return { kind, hint, isModest: false, ...(name !== undefined && { name }) }
}

function isInPlace(kind: ThresholdRow['kind']): boolean {
  return kind === 'flat_per_item' || kind === 'flat_rate' || kind === 'taxed_excess'
}

/** If the duty on the excess over a limit has no rate, it gets the rate of the first duty and replaces that duty. */
function takeExcessRate(draft: CaseDraft): { readonly name: string } | undefined {
  const rule = draft.limits.find(({ row }) => row.kind === 'taxed_excess' && row.appliesTo === 'duty')
  if (rule === undefined || typeof rule.row.ratePpm === 'number') return undefined
  const [duty] = draft.duties
  if (duty?.ppm === undefined || duty.specifics.length > 0) {
    draft.ledger.problems.push('duty on what exceeds a limit: no rate is given')
    return undefined
  }
  draft.duties.shift()
  rule.row = { ...rule.row, ratePpm: duty.ppm }
  return duty.name === undefined ? undefined : { name: duty.name }
}

function destinationOf(workedCase: WorkedCase, draft: CaseDraft) {
  const valuation = draft.valuation ?? usualValuation(workedCase.destination)
  const hasFreight = (draft.shippingCents ?? 0) + (draft.insuranceCents ?? 0) > 0
  if (valuation === 'CIF' && hasFreight && draft.includesFreight === false)
    draft.ledger.problems.push('freight that is in the customs value and not in the base of the tax')
  return jurisdiction(workedCase.destination, {
    currency: workedCase.currency,
    valuation,
    roundingUnit: draft.roundingUnit ?? '',
    roundingMode: draft.roundingMode ?? 'half_up',
    valueUnit: draft.valueUnit ?? '',
  })
}

/** The base duty has a row for each code, since codes may have different rates. */
function measuresOf(workedCase: WorkedCase, goods: readonly CodedGoods[], duty: OrderedDuty) {
  if (duty.type !== BASE_MEASURE_TYPE) return [measureOf(duty, workedCase.destination, '')]
  const byCode = new Map(goods.map((one) => [one.code, one]))
  return [...byCode.values()].map(({ code, dutyPpm }) =>
    measureOf(
      duty,
      workedCase.destination,
      code,
      dutyPpm === undefined ? {} : { adValoremPpm: dutyPpm, specific: '' },
    ),
  )
}

function taxRowsOf(
  workedCase: WorkedCase,
  draft: CaseDraft,
  goods: readonly CodedGoods[],
  names: readonly Charged[],
) {
  const { destination } = workedCase
  const at = { jurisdiction: destination, ratesOf: destination }
  if (draft.taxes.length === 0)
    return { taxes: [tax('none', { ...at, name: 'No tax', status: 'none', reason: 'The case has none.' })] }
  const { taxShare = '1', ledger } = draft
  const ratesByCode = goods.flatMap(({ code, taxPpm }) => (taxPpm === undefined ? [] : [{ code, taxPpm }]))
  return {
    taxes: draft.taxes.map((one, index) =>
      tax(`tax_${index}`, {
        ...at,
        name: names[index]?.name ?? '',
        base: one.isInside ? 'inside' : 'value_and_duty',
        includesFreight: one.includesFreight ?? draft.includesFreight ?? usuallyTaxesFreight(destination),
        upliftPpm: one.upliftPpm === 0 ? (draft.upliftPpm ?? 0) : one.upliftPpm,
      }),
    ),
    taxRates: [
      ...draft.taxes.map((one, index) =>
        taxRate(`tax_${index}`, 0, {
          jurisdiction: destination,
          ratePpm: sharedPpm(ledger, one.ppm, taxShare),
        }),
      ),
      ...ratesByCode.map(({ code, taxPpm }) =>
        taxRate('tax_0', 0, {
          jurisdiction: destination,
          codePrefix: code,
          ratePpm: sharedPpm(ledger, taxPpm, taxShare),
        }),
      ),
    ],
  }
}

function feeRow(
  workedCase: WorkedCase,
  draft: CaseDraft,
  row: Partial<FeeRow>,
  name: string,
  index: number,
): FeeRow {
  if (row.kind === undefined) draft.ledger.problems.push(`fees: ${name} has neither amount nor rate`)
  return fee(row.kind ?? 'per_consignment', {
    jurisdiction: workedCase.destination,
    currency: workedCase.currency,
    inTaxBase: draft.hasFeesInTaxBase ?? false,
    ...row,
    fee: `fee_${index}`,
    name,
  })
}

function limitRow(workedCase: WorkedCase, draft: CaseDraft, { row }: LimitDraft): ThresholdRow {
  const { intrinsic } = draft
  const usual = intrinsic === undefined ? usualLimitBasis(workedCase.destination, row.appliesTo) : 'goods'
  const stated = intrinsic === undefined || intrinsic.comparison === '=' ? undefined : intrinsic.amount
  const flatLimit = { limitAmount: stated ?? usualFlatLimit(workedCase.destination) }
  return threshold(row.kind, {
    jurisdiction: workedCase.destination,
    currency: workedCase.currency,
    valueBasis: draft.limitBasis ?? usual,
    ...(row.kind === 'flat_per_item' && flatLimit),
    ...row,
  })
}

/** Reliefs first, then by limit: the first matching rule decides. */
function byReach(a: ThresholdRow, b: ThresholdRow): number {
  const relief = Number(b.kind === 'relief_up_to') - Number(a.kind === 'relief_up_to')
  return relief === 0 ? reach(a) - reach(b) : relief
}

function reach({ limitAmount }: ThresholdRow): number {
  return limitAmount === '' ? Number.POSITIVE_INFINITY : Number(limitAmount)
}

// Defaults from the shipped data for facts about the destination that a case does not state: whether freight is part of
// the customs value and of the tax base, and which value limits are compared with. Rates always come from the case.

const { jurisdictions, taxes, thresholds } = readShippedCustomsData()

export function usualValuation(destination: string): Valuation {
  return jurisdictions.find(({ code }) => code === destination)?.valuation ?? 'CIF'
}

/** Whether freight is part of the tax base although it is not part of the customs value. */
export function usuallyTaxesFreight(destination: string): boolean {
  return taxes.some((tax) => tax.jurisdiction === destination && tax.includesFreight)
}

export function usualLimitBasis(
  destination: string,
  appliesTo: ThresholdRow['appliesTo'],
): ThresholdRow['valueBasis'] {
  const rules = rulesOf(destination)
  return (rules.find((rule) => rule.appliesTo === appliesTo) ?? rules[0])?.valueBasis ?? 'goods'
}

/** The limit of the destination's flat amount per item, or an empty text. */
export function usualFlatLimit(destination: string): string {
  return rulesOf(destination).find(({ kind }) => kind === 'flat_per_item')?.limitAmount ?? ''
}

function rulesOf(destination: string): readonly ThresholdRow[] {
  const areas = jurisdictions.find(({ code }) => code === destination)?.customsAreas ?? []
  return thresholds.filter(({ jurisdiction }) => jurisdiction === destination || areas.includes(jurisdiction))
}
