/**
 * Published calculations of duties and taxes, to the cent. Each case has the rates that its source states, for the
 * destination "AA". All amounts are in the currency of the destination, whatever it was in the source.
 *
 * Grades of the sources: A is an authority or its code, B a carrier, broker, law firm or platform, C a forum or a
 * shop's guide, D worked out from a published rule.
 */
import { expect, test } from 'vitest'
import type { FeeRow } from '../../../../src/core/customs/data/row-types/fees.ts'
import type { MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import type { JurisdictionRow } from '../../../../src/core/customs/data/row-types/places.ts'
import type { TaxRow } from '../../../../src/core/customs/data/row-types/taxes.ts'
import type { ThresholdRow } from '../../../../src/core/customs/data/row-types/thresholds.ts'
import { lineBaseCents } from '../../../../src/core/customs/estimate/explain/line.ts'
import type { ContentItem, DutiesRequest } from '../../../../src/core/customs/request.ts'
import { formatCents } from '../../../../src/core/money.ts'
import {
  BASE_TYPE,
  customsRows,
  fee,
  jurisdiction,
  measure,
  measureType,
  tax,
  taxRate,
  threshold,
} from '../../../support/customs/customs-rows.ts'
import { type SmallItem, smallEstimate } from '../../../support/customs/small-estimate.ts'

type Line = readonly [name: string, amount: string]

type WorkedCase = {
  readonly source: string
  readonly grade: 'A' | 'B' | 'C' | 'D'
  readonly date: string
  /** The rules of the destination on values and rounding. */
  readonly destination?: Partial<JurisdictionRow>
  readonly items: readonly SmallItem[]
  readonly request?: Partial<DutiesRequest>
  /** The first is the base duty, the others are added to it. Without any, the goods are free of duty. */
  readonly duties?: readonly (readonly [name: string, rate: number | string, rest?: Partial<MeasureRow>])[]
  readonly tax?: readonly [name: string, percent: number, rest?: Partial<TaxRow>]
  readonly fees?: readonly FeeRow[]
  readonly thresholds?: readonly ThresholdRow[]
  /** The published lines, without those of 0.00. */
  readonly lines: readonly Line[]
  readonly total: string
  readonly customsValue?: string
  readonly taxBase?: string
}

const UK_CALCULATOR = 'trade-tariff/trade-tariff-duty-calculator @c9cbbc7 (UK DBT/HMRC, MIT) spec'
const EU_FLAT_DUTY = 'EU temporary duty EUR 3 per item (Reg. (EU) 2026/382)'

/** Goods whose code does not matter. */
const goods = (value: number, rest: Partial<ContentItem> = {}): SmallItem => ['990000', 1, value, rest]

const measured = (unit: string, amount: number): Partial<ContentItem> => ({
  quantities: [{ unit, amountMicros: amount * 1_000_000 }],
})

/** What a duty that is given as an amount is charged on: the goods have one such unit. */
const ONE_UNIT = measured('gross tonnage', 1)

const FLAT_DUTY_OF_3 = threshold('flat_per_item', {
  limitAmount: '150',
  flatAmount: '3',
  recipient: 'individual',
})
const FLAT_LINE: Line = ['Flat-rate customs duty', '3.00']

/** The Swiss tax is not levied up to CHF 5 and rounded to 5 centimes. */
const SWISS_TAX = {
  destination: { roundingUnit: '0.05' },
  thresholds: [threshold('not_levied_up_to', { appliesTo: 'tax', limitAmount: '5' })],
}

const MERCHANDISE_PROCESSING_FEE = fee('share_of_value', {
  name: 'MPF',
  ratePpm: 3_464,
  minimum: '33.58',
  maximum: '651.50',
})

const CASES: Readonly<Record<string, WorkedCase>> = {
  'uk-dc-advalorem': {
    source: `${UK_CALCULATOR}/services/expression_evaluators/ad_valorem_spec.rb`,
    ...{ grade: 'A', date: '2021-01-01' },
    items: [goods(10)],
    request: { shippingCents: 10_00, insuranceCents: 10_00 },
    duties: [['Third country duty', 8]],
    lines: [['Third country duty', '2.40']],
    ...{ total: '2.40', customsValue: '30.00' },
  },
  'uk-dc-third-country': {
    source: `${UK_CALCULATOR}/services/duty_options/third_country_tariff_spec.rb`,
    ...{ grade: 'A', date: '2021-01-01' },
    items: [goods(1_200)],
    duties: [['Third country duty', 8]],
    lines: [['Third country duty', '96.00']],
    total: '96.00',
  },
  'uk-dc-stack-preference': {
    source: `${UK_CALCULATOR}/models/duty_calculator_spec.rb`,
    ...{ grade: 'A', date: '2021-01-01' },
    items: [['7202118000', 1, 1_000, measured('tonne', 2)]],
    request: { shippingCents: 250_89, insuranceCents: 10_00 },
    duties: [
      ['Tariff preference', 0],
      ['Safeguard additional duty', 25],
      ['Additional duty', 25],
      ['Anti-dumping C490', '144.10 EUR/tonne'],
    ],
    tax: ['VAT', 20],
    lines: [
      ['Safeguard additional duty', '315.22'],
      ['Additional duty', '315.22'],
      ['Anti-dumping C490', '288.20'],
      ['VAT', '435.91'],
    ],
    ...{ total: '1354.55', customsValue: '1260.89' },
  },
  'uk-dc-compound-min-max': {
    source: `${UK_CALCULATOR}/services/expression_evaluators/compound_spec.rb`,
    ...{ grade: 'A', date: '2021-01-01' },
    items: [goods(1_200, measured('dtn', 100))],
    duties: [
      [
        'Third country duty',
        13.8,
        { minimum: '13.0 EUR/100 kg', maximum: '15.0 EUR/100 kg - 7.0 EUR/100 kg' },
      ],
    ],
    lines: [['Third country duty', '800.00']],
    total: '800.00',
  },
  'uk-dc-specific-100kg-x100': {
    source: `${UK_CALCULATOR} measure_unit_spec.rb`,
    ...{ grade: 'A', date: '2021-01-01' },
    items: [goods(0, measured('100kg', 100))],
    duties: [['Duty', '35.10 EUR/100kg']],
    lines: [['Duty', '3510.00']],
    total: '3510.00',
  },
  'uk-dc-alcohol-hl-vol': {
    source: `${UK_CALCULATOR} alcohol_volume_measure_unit_spec.rb (40 %vol x 0.45 hl)`,
    ...{ grade: 'A', date: '2021-01-01' },
    destination: { roundingUnit: '0.01', roundingMode: 'down' },
    items: [goods(1_200, measured('%vol/hl', 18))],
    duties: [['Alcohol component', '0.50 EUR/%vol/hl']],
    lines: [['Alcohol component', '9.00']],
    total: '9.00',
  },
  'uk-dc-sucrose': {
    source: `${UK_CALCULATOR} sucrose_measure_unit_spec.rb (163.2 x 100kg x 80 %)`,
    ...{ grade: 'A', date: '2021-01-01' },
    items: [goods(1_200, measured('100kg/%sacchar', 13_056))],
    duties: [['Sugar duty', '0.30 EUR/100kg/%sacchar']],
    lines: [['Sugar duty', '3916.80']],
    total: '3916.80',
  },
  'nl-camera-149': {
    source: 'Belastingdienst (NL tax authority) rekenvoorbeelden page, stored copy',
    ...{ grade: 'A', date: '2021-07-01' },
    items: [goods(149)],
    request: { shippingCents: 25_00, insuranceCents: 10_00 },
    tax: ['VAT', 21],
    lines: [['VAT', '38.64']],
    ...{ total: '38.64', customsValue: '184.00' },
  },
  'eu3-shoes-dolls-tshirts': {
    source: `${EU_FLAT_DUTY}, Lithuanian customs page`,
    ...{ grade: 'A', date: '2026-07-15' },
    items: [
      ['640399', 1, 150],
      ['950300', 1, 0, measured('item', 2)],
      ['610910', 1, 0, measured('item', 5)],
    ],
    request: { recipient: 'individual' },
    thresholds: [FLAT_DUTY_OF_3],
    lines: [FLAT_LINE, FLAT_LINE, FLAT_LINE],
    total: '9.00',
  },
  'eu3-4pens-book': {
    source: `${EU_FLAT_DUTY}, DHL microsite example 2`,
    ...{ grade: 'B', date: '2026-07-15' },
    items: [
      ['960810', 1, 150, measured('item', 4)],
      ['490199', 1, 0],
    ],
    request: { recipient: 'individual' },
    thresholds: [FLAT_DUTY_OF_3],
    lines: [FLAT_LINE, FLAT_LINE],
    total: '6.00',
  },
  'eu3-tshirt-watch': {
    source: `${EU_FLAT_DUTY}, law-firm note (Baker McKenzie import blog 2026-07-02)`,
    ...{ grade: 'B', date: '2026-07-15' },
    items: [
      ['610910', 1, 150],
      ['910211', 1, 0],
    ],
    request: { recipient: 'individual' },
    thresholds: [FLAT_DUTY_OF_3],
    lines: [FLAT_LINE, FLAT_LINE],
    total: '6.00',
  },
  'uk-transport-2000s': {
    source: 'wedelivertheworld FAQ',
    ...{ grade: 'B', date: '2009-01-01' },
    items: [goods(80, ONE_UNIT)],
    request: { shippingCents: 35_00 },
    duties: [['Duty', '4.02 EUR/gross tonnage']],
    tax: ['VAT', 17.5],
    lines: [
      ['Duty', '4.02'],
      ['VAT', '20.83'],
    ],
    total: '24.85',
  },
  'uk-140-175-waiver': {
    source: 'forum worked example (answerbank)',
    ...{ grade: 'C', date: '2019-01-01' },
    items: [goods(140, ONE_UNIT)],
    request: { shippingCents: 35_00 },
    duties: [['Duty', '5.18 EUR/gross tonnage']],
    tax: ['VAT', 20],
    thresholds: [threshold('not_levied_below', { limitAmount: '9' })],
    lines: [['VAT', '35.00']],
    total: '35.00',
  },
  'ch-minimum-5chf-base-62': {
    source: 'BAZG receipt of letters and parcels (CHF 62 at 8.1 %)',
    ...{ grade: 'A', date: '2024-01-01' },
    ...SWISS_TAX,
    items: [goods(62)],
    tax: ['VAT', 8.1],
    lines: [],
    ...{ total: '0.00', taxBase: '62.00' },
  },
  'ch-minimum-5chf-base-193-reduced': {
    source: 'BAZG receipt of letters and parcels (CHF 193 at 2.6 %)',
    ...{ grade: 'A', date: '2024-01-01' },
    ...SWISS_TAX,
    items: [goods(193)],
    tax: ['VAT', 2.6],
    lines: [],
    ...{ total: '0.00', taxBase: '193.00' },
  },
  'ch-jolla-251.79': {
    source: 'forum worked invoice',
    ...{ grade: 'C', date: '2024-12-01' },
    items: [goods(251.78644)],
    tax: ['VAT', 8.1],
    lines: [['VAT', '20.39']],
    total: '20.39',
  },
  'au-amplifier': {
    source: 'Australian Customs page quoted in forum',
    ...{ grade: 'B', date: '2013-01-01' },
    destination: { valuation: 'FOB' },
    items: [goods(1_400)],
    request: { shippingCents: 130_00 },
    duties: [['Customs duty', 5]],
    tax: ['GST', 10, { includesFreight: true }],
    lines: [
      ['Customs duty', '70.00'],
      ['GST', '160.00'],
    ],
    total: '230.00',
  },
  'nz-gst-only': {
    source: 'NZ Customs document released under OIA (fyi.org.nz request 657)',
    ...{ grade: 'A', date: '2012-06-01' },
    destination: { valuation: 'FOB' },
    items: [goods(1_000)],
    request: { shippingCents: 100_00 },
    tax: ['GST', 15, { includesFreight: true }],
    lines: [['GST', '165.00']],
    total: '165.00',
  },
  'nz-shoes-390': {
    source: 'carrier country guide (aioexpress)',
    ...{ grade: 'C', date: '2012-06-01' },
    destination: { valuation: 'FOB' },
    items: [goods(390)],
    duties: [['Duty', 10]],
    tax: ['GST', 15, { includesFreight: true }],
    lines: [
      ['Duty', '39.00'],
      ['GST', '64.35'],
    ],
    total: '103.35',
  },
  'ca-198-17': {
    source: 'broker help page (shippsy)',
    ...{ grade: 'B', date: '2020-01-01' },
    destination: { valuation: 'FOB' },
    items: [goods(198)],
    duties: [['Duty', 17]],
    tax: ['HST', 13],
    lines: [
      ['Duty', '33.66'],
      ['HST', '30.12'],
    ],
    total: '63.78',
  },
  'sg-450': {
    source: 'IRAS consumer page (quoted)',
    ...{ grade: 'B', date: '2020-01-01' },
    items: [goods(450)],
    tax: ['GST', 7],
    thresholds: [
      threshold('relief_up_to', { appliesTo: 'tax', limitAmount: '400', valueBasis: 'customs_value' }),
    ],
    lines: [['GST', '31.50']],
    total: '31.50',
  },
  'br-100': {
    source: 'jtv.com.br 2024-08-01',
    ...{ grade: 'B', date: '2024-08-01' },
    items: [goods(100)],
    tax: ['ICMS', 17, { base: 'inside' }],
    thresholds: [threshold('flat_rate', { valueBasis: 'customs_value', ratePpm: 200_000 })],
    lines: [
      ['Flat-rate customs duty', '20.00'],
      ['ICMS', '24.58'],
    ],
    total: '44.58',
  },
  'br-usd200-ii': {
    source: 'naocalo.com.br 2024-08-01',
    ...{ grade: 'B', date: '2024-08-01' },
    items: [goods(200)],
    thresholds: [
      threshold('flat_rate', { valueBasis: 'customs_value', ratePpm: 600_000, deductAmount: '20' }),
    ],
    lines: [['Flat-rate customs duty', '100.00']],
    total: '100.00',
  },
  'us-sendcloud-shoes': {
    source: 'sendcloud.dev Duties and Taxes API example response (item_total 140.85)',
    ...{ grade: 'B', date: '2026-01-01' },
    destination: { valuation: 'FOB' },
    items: [goods(99.98)],
    duties: [['Duty', 27.5]],
    tax: ['Tax', 10.5],
    lines: [
      ['Duty', '27.49'],
      ['Tax', '13.38'],
    ],
    total: '40.87',
  },
  'us-mpf-formal': {
    source: 'derived from 90 FR 34665 figures as quoted by two brokers',
    ...{ grade: 'D', date: '2026-05-01' },
    destination: { valuation: 'FOB' },
    items: [goods(100_000)],
    fees: [MERCHANDISE_PROCESSING_FEE],
    lines: [['MPF', '346.40']],
    total: '346.40',
  },
  'us-mpf-max': {
    source: 'derived from 90 FR 34665 figures',
    ...{ grade: 'D', date: '2026-05-01' },
    destination: { valuation: 'FOB' },
    items: [goods(200_000)],
    fees: [MERCHANDISE_PROCESSING_FEE],
    lines: [['MPF', '651.50']],
    total: '651.50',
  },
  'us-fl301-cap-tier-b': {
    source: 'derived from SAIL-Engineering tracker config',
    ...{ grade: 'D', date: '2026-08-01' },
    destination: { valuation: 'FOB' },
    items: [goods(100)],
    duties: [
      ['MFN duty', 3],
      [
        'Section 301 forced labor (10% total cap)',
        10,
        { kind: 'cap_total', against: [BASE_TYPE.measureType] },
      ],
    ],
    lines: [
      ['MFN duty', '3.00'],
      ['Section 301 forced labor (10% total cap)', '7.00'],
    ],
    total: '10.00',
  },
  'de-115-19': {
    source: 'web-shop guide (haute-edition)',
    ...{ grade: 'C', date: '2010-11-01' },
    items: [goods(115)],
    tax: ['VAT', 19],
    lines: [['VAT', '21.85']],
    total: '21.85',
  },
}

function estimateOf({
  destination,
  items,
  request,
  duties = [],
  tax: levied,
  fees = [],
  thresholds = [],
  date,
}: WorkedCase) {
  const [[baseName, baseRate, baseRest] = ['Duty', 0], ...additional] = duties
  const rows = customsRows({
    jurisdictions: [jurisdiction('AA', destination), jurisdiction('BB')],
    measureTypes: [
      { ...BASE_TYPE, name: baseName },
      ...additional.map(([name]) => measureType(name, 'additional', { name })),
    ],
    measures: [
      measure('', baseRate, baseRest),
      ...additional.map(([name, rate, rest]) => measure('', rate, { measureType: name, ...rest })),
    ],
    taxes:
      levied === undefined
        ? [tax('none', { status: 'none', reason: 'The case has none.' })]
        : [tax('tax', { name: levied[0], ...levied[2] })],
    taxRates: levied === undefined ? [] : [taxRate('tax', levied[1])],
    fees,
    thresholds,
  })
  return smallEstimate(rows, items, request, date)
}

test.each(Object.entries(CASES))('%s has the published result', (_, workedCase) => {
  const { taxes, estimateCents, customsValueCents } = estimateOf(workedCase)
  expect(taxes.every(({ computed }) => computed)).toBe(true)
  const charged = taxes.filter(({ amountCents }) => amountCents !== 0)
  expect(charged.map(({ name, amountCents }) => [name, formatCents(amountCents)])).toEqual(workedCase.lines)
  expect(formatCents(estimateCents)).toBe(workedCase.total)
  const { customsValue, taxBase } = workedCase
  if (customsValue !== undefined) expect(formatCents(customsValueCents)).toBe(customsValue)
  if (taxBase !== undefined) {
    const taxLines = taxes.filter(({ kind }) => kind === 'VAT')
    expect(taxLines.map((line) => formatCents(lineBaseCents(line)))).toEqual([taxBase])
  }
})
