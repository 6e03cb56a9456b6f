/** Texts for excise duties: rate, quantities, data set, or the fact that the request lacks. */
import { describeExchangeRate, findExchangeRate } from '../../data/exchange-rate.ts'
import { formatEuro, formatQuantity } from '../../exact.ts'
import { formatPercent, percentOf } from '../../tariff/duty-text.ts'
import type { ExciseRate } from '../../tariff/excise-rate.ts'
import type { Consignment } from '../consignment.ts'
import { nameOfAll } from '../excise.ts'
import type { CodedItem } from '../goods.ts'
import { quantitiesOfAll } from '../quantities.ts'
import type { ChargeFacts, ExactLine, ExciseFacts, ExciseReasons } from '../tax-line.ts'
import type { ChargeTexts, Explanation, ReasonTexts } from './explanation.ts'
import {
  describeDataSet,
  describeMissingRates,
  describeRounding,
  exchangeRatesFor,
  type LineSource,
  sentences,
} from './text.ts'

export const EXCISE: ChargeTexts<ChargeFacts['excise']> = {
  describe: (facts, { consignment, line }) => describeExcise(consignment, facts, line),
  reason: (facts, { line }) => exciseProduct(facts, line),
  source: exciseSource,
  grounds: ({ rate }, { consignment }) => exchangeRatesFor(consignment, currenciesOf(rate)),
  product: (facts, { line }) => exciseProduct(facts, line),
  ratePercent: exciseRatePercent,
}

export const EXCISE_REASONS: ReasonTexts<ExciseReasons> = {
  excisePart: noExcise(
    ({ rate, items, missing }) =>
      sentences(
        `The rate is ${rate.rateText}; ${missing} cannot be calculated from this request.`,
        rate.row.retailPricePpm === null ? '' : 'A request does not contain the retail price.',
        needs(rate, items),
      ),
    ({ rate }) =>
      rate.row.retailPricePpm === null
        ? 'it depends on a quantity that is not given'
        : 'it depends on the retail price',
  ),
  exciseStrength: {
    ...noExcise(
      ({ bands }) => `The rate depends on the alcoholic strength, which is not given${bandsText(bands)}.`,
      () => 'it depends on the alcoholic strength, which is not given',
    ),
    source: (facts) => ({ ...exciseSource(facts), rateText: '' }),
  },
  exciseBound: {
    ...noExcise(
      ({ tax, rate, items, least }) =>
        sentences(
          tax.reason,
          `At least ${rate.rateText} is due${least === undefined ? '' : `, which is ${formatEuro(least)} for these goods`}.`,
          least === undefined ? needs(rate, items) : '',
        ),
      ({ least }) =>
        least === undefined ? 'only a minimum rate is loaded' : `at least ${formatEuro(least)} is due`,
    ),
    least: ({ least }) => least,
  },
  exciseBoundStrength: noExcise(
    ({ tax }) =>
      sentences(tax.reason, 'The minimum rate depends on the alcoholic strength, which is not given.'),
    () => 'it depends on the alcoholic strength, which is not given',
  ),
}

/** `full`, `brief`: why the excise, or a part of it, has no amount. */
function noExcise<Facts extends ExciseFacts>(
  full: (facts: Facts) => string,
  brief: (facts: Facts) => string,
): Explanation<Facts> {
  return {
    reason: brief,
    describe: (facts, { consignment }) => {
      const { row } = facts.rate
      return sentences(
        full(facts),
        describeMissingRates(consignment, currenciesOf(facts.rate)),
        row.note,
        describeDataSet(consignment, row.dataSet, row.confidence),
      )
    },
    source: exciseSource,
  }
}

/** The names of rates by strength, the lowest first; empty if they have one name. */
function bandsText(bands: readonly ExciseRate[]): string {
  if (nameOfAll(bands) !== undefined) return ''
  const above = ({ row }: ExciseRate): number => row.strengthAbovePpm ?? 0
  const sorted = bands.toSorted((a, b) => above(a) - above(b))
  const named = sorted.filter(({ row }, index) => row.name !== sorted[index - 1]?.row.name)
  const texts = named.map((band) => {
    const { name } = band.row
    return above(band) === 0 ? name : `${name} above ${formatPercent(above(band))} vol`
  })
  return `: ${texts.join(', ')}`
}

function exciseSource({ rate: { row, rateText } }: ExciseFacts): LineSource {
  return {
    dataSet: row.dataSet,
    measureType: row.excise,
    codePrefix: row.codePrefix,
    rateText,
    validFrom: row.validFrom,
    validTo: row.validTo,
    confidence: row.confidence,
  }
}

/** Undefined if the excise is not a plain share of its base. */
function exciseRatePercent({ rate: { row } }: ExciseFacts): string | undefined {
  const { adValoremPpm, specific, minimum, retailPricePpm } = row
  const isShare = adValoremPpm !== null && retailPricePpm === null && `${specific}${minimum}` === ''
  return isShare ? percentOf(adValoremPpm) : undefined
}

/** "550 EUR/hl pure alcohol on 2 items, 0.56 l pure alcohol" */
function exciseProduct({ rate, items }: ExciseFacts, { base }: ExactLine): string {
  const value = rate.row.adValoremPpm === null ? '' : `, ${formatEuro(base)}`
  return `${rate.rateText} on ${quantityText(rate, items)}${value}`
}

function describeExcise(consignment: Consignment, facts: ChargeFacts['excise'], line: ExactLine): string {
  const { rate, missing } = facts
  return sentences(
    `${exciseProduct(facts, line)}${missing === '' ? '' : `, without ${missing}`}.`,
    rate.row.note,
    describeConversion(consignment, rate),
    describeDataSet(consignment, rate.row.dataSet, rate.row.confidence),
    describeRounding(consignment),
  )
}

/** The quantities that the request lacks: "It needs the quantity \"l pure alcohol\"." */
function needs(rate: ExciseRate, items: readonly CodedItem[]): string {
  const known = quantitiesOfAll(items)
  const lacking = countedQuantities(rate).filter((quantity) => !known.has(quantity))
  return lacking.length === 0 ? '' : `Give the quantity "${lacking.join('" and "')}".`
}

function countedQuantities({ base, minimum }: ExciseRate): readonly string[] {
  const parts = [...base.specifics, ...(minimum?.specifics ?? [])]
  return [...new Set(parts.map(({ unit }) => unit.quantity))]
}

function quantityText(rate: ExciseRate, items: readonly CodedItem[]): string {
  const quantities = quantitiesOfAll(items)
  const count = items.reduce((sum, { item }) => sum + item.numberOfItems, 0)
  const texts = [`${count} ${count === 1 ? 'item' : 'items'}`]
  for (const quantity of countedQuantities(rate)) {
    const amount = quantities.get(quantity)
    if (amount !== undefined && quantity !== 'items') texts.push(`${formatQuantity(amount)} ${quantity}`)
  }
  return texts.join(', ')
}

function currenciesOf({ base, minimum }: ExciseRate): readonly string[] {
  return [...base.specifics, ...(minimum?.specifics ?? [])].map(({ currency }) => currency)
}

function describeConversion({ tables, date }: Consignment, rate: ExciseRate): string {
  const currency = currenciesOf(rate)[0] ?? 'EUR'
  const exchange = findExchangeRate(tables.exchangeRates, currency, date)
  return exchange === undefined || currency === 'EUR' ? '' : `${currency}${describeExchangeRate(exchange)}.`
}
