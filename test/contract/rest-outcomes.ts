/** Outcomes with amounts that would reveal padding and rounding faults, and their exact REST bodies. */
import type { ItemEstimate } from '../../src/core/customs/estimate/estimate.ts'
import type { TaxLine } from '../../src/core/customs/estimate/tax-line.ts'
import { exactOf } from '../../src/core/customs/exact.ts'
import type { RateOption } from '../../src/core/rating/quote.ts'
import type { SelectedQuote } from '../../src/core/rating/selection.ts'
import type { DatedEstimate } from '../../src/operations/estimate-duties.ts'
import { customsRows, tax } from '../support/customs/customs-rows.ts'
import { smallEstimate } from '../support/customs/small-estimate.ts'
import { fixedOption } from '../support/rates/fixed-option.ts'

const PRIORITY: RateOption = fixedOption({
  product: {
    productId: 1002,
    productName: 'Priority',
    carrierCode: 'rondeel',
    carrierName: 'Rondeel Parcel',
  },
  priceCents: 1230,
  lines: [
    { kind: 'BASE', item: 'Freight', amountCents: 1005 },
    { kind: 'FUEL', item: 'Fuel surcharge', amountCents: 218, reason: '21.7% of freight' },
    { kind: 'OTHER', item: 'Road toll', amountCents: 7, reason: 'Germany' },
  ],
  transit: { minDays: 1, maxDays: 2 },
  chargeable: [],
})

const ECONOMY: RateOption = fixedOption({
  product: { productId: 77, productName: 'Economy', carrierCode: 'kade', carrierName: 'Kade & Zn.' },
  priceCents: 110,
  lines: [{ kind: 'BASE', item: 'Freight', amountCents: 110 }],
  transit: { minDays: 3, maxDays: 5 },
  chargeable: [],
})

/** REST does not show declined products. */
export function quoteOf(...options: RateOption[]): SelectedQuote {
  return {
    kind: 'RateQuote',
    rateCardVersions: ['demo@1'],
    options,
    filteredOut: 0,
    declined: [
      {
        product: { productId: 9, productName: 'Freight', carrierCode: 'kade', carrierName: 'Kade & Zn.' },
        decline: { code: 'TYPE_NOT_CARRIED', reason: 'Carries pallets (PALLET) only' },
      },
    ],
  }
}

export const TWO_OPTIONS: SelectedQuote = quoteOf(ECONOMY, PRIORITY)

export const ONE_OPTION: SelectedQuote = quoteOf(ECONOMY)

/** A tax line with the given description. */
export function lineOf(
  harmonizedCode: string,
  name: string,
  amountCents: number,
  description: string,
): TaxLine {
  return {
    ...{ harmonizedCode, name, amountCents, kind: name === 'Value added tax' ? 'VAT' : 'DUTY' },
    ...{ computed: true, items: [0], amount: exactOf(amountCents, 2), base: exactOf(242, 2) },
    collectedAtCheckout: false,
    calculation: {
      kind: 'notCharged',
      reason: 'taxNotEstimated',
      facts: { tax: tax('VAT', { reason: description, dataSet: '' }) },
    },
  }
}

const ITEM: ItemEstimate = { index: 0, customsValueCents: 242, customsValue: exactOf(242, 2) }

/** A complete estimate: 29 + 1999 + 0 cents. */
export const ESTIMATE: DatedEstimate = {
  kind: 'DutiesEstimate',
  contentItems: [],
  estimateCents: 2028,
  checkoutCents: 0,
  hsCode: '610910',
  taxes: [
    lineOf('6109100010', 'Third country duty', 29, '12% of 2.42'),
    lineOf('6109100010', 'Value added tax', 1999, ''),
    lineOf('85171300', 'Third country duty', 0, 'below the threshold'),
  ],
  items: [ITEM],
  customsValueCents: 242,
  complete: true,
  consignment: smallEstimate(customsRows(), []).consignment,
  date: '2026-11-20',
  ifCode: () => ESTIMATE,
  range: () => ({ leastCents: 0, likelyCents: 0, mostCents: 0, withoutBound: [], decision: undefined }),
  underOtherScheme: () => undefined,
  restrictions: () => [],
  secondOpinion: async () => undefined,
}

/** The tax lines of `ESTIMATE` in REST. */
export const TAX_DETAILS =
  '[{"harmonizedCode":"6109100010","name":"Third country duty","amount":0.29,"description":"12% of 2.42"},' +
  '{"harmonizedCode":"6109100010","name":"Value added tax","amount":19.99,"description":""},' +
  '{"harmonizedCode":"85171300","name":"Third country duty","amount":0,"description":"below the threshold"}]'

/** The same estimate with a second item without a code. */
export const PARTIAL_ESTIMATE: DatedEstimate = {
  ...ESTIMATE,
  items: [
    ITEM,
    {
      index: 1,
      customsValueCents: 100,
      customsValue: exactOf(100, 2),
      problem: {
        kind: 'InputProblem',
        code: 'UNCLASSIFIABLE',
        message: 'a summary',
        retryable: false,
        fields: [
          { path: ['contentItems', 1, 'description'], code: 'UNCLASSIFIABLE', message: 'no HS code fits' },
        ],
      },
    },
  ],
  complete: false,
}
