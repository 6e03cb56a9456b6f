/** Texts for excise duties: rate, quantities, data set, or the fact that the request lacks. */
import { describeExchangeRate, findExchangeRate } from '../../data/exchange-rate.ts'
import { formatEuro, formatQuantity } from '../../exact.ts'
import { percentOf } from '../../tariff/duty-text.ts'
import type { ExciseRate } from '../../tariff/excise-rate.ts'
import type { Consignment } from '../consignment.ts'
import type { CodedItem } from '../goods.ts'
import { quantitiesOfAll } from '../measure-amount.ts'
import type { Calculation, TaxLine } from '../tax-line.ts'
import {
  describeDataSet,
  describeMissingRates,
  describeRounding,
  type LineSource,
  sentences,
} from './text.ts'

type ExciseCalculation = Extract<Calculation, { readonly kind: 'excise' }>
type NoExciseCalculation = Extract<Calculation, { readonly kind: 'noExcise' }>

export function exciseSource({
  rate: { row, rateText },
}: ExciseCalculation | NoExciseCalculation): LineSource {
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
export function exciseRatePercent({ rate: { row } }: ExciseCalculation): string | undefined {
  const { adValoremPpm, specific, minimum, retailPricePpm } = row
  const isShare = adValoremPpm !== null && retailPricePpm === null && `${specific}${minimum}` === ''
  return isShare ? percentOf(adValoremPpm) : undefined
}

/** "550 EUR/hl pure alcohol on 2 items, 0.56 l pure alcohol" */
export function exciseProduct({ rate, items }: ExciseCalculation, { base }: TaxLine): string {
  const value = rate.row.adValoremPpm === null ? '' : `, ${formatEuro(base)}`
  return `${rate.rateText} on ${quantityText(rate, items)}${value}`
}

export function describeExcise(
  consignment: Consignment,
  calculation: ExciseCalculation,
  line: TaxLine,
): string {
  const { rate, missing } = calculation
  return sentences(
    `${exciseProduct(calculation, line)}${missing === '' ? '' : `, without ${missing}`}.`,
    rate.row.note,
    describeConversion(consignment, rate),
    describeDataSet(consignment, rate.row.dataSet, rate.row.confidence),
    describeRounding(consignment),
  )
}

export function describeNoExcise(consignment: Consignment, calculation: NoExciseCalculation): string {
  const { row } = calculation.rate
  return sentences(
    ...reasonSentences(calculation),
    describeMissingRates(consignment, currenciesOf(calculation.rate)),
    row.note,
    describeDataSet(consignment, row.dataSet, row.confidence),
  )
}

function reasonSentences({
  rate,
  items,
  reason,
  tax,
  missing,
  least,
}: NoExciseCalculation): readonly string[] {
  switch (reason) {
    case 'strengthNeeded':
      return ['The rate depends on the alcoholic strength, which is not given.']
    case 'missingPart':
      return [
        `The rate is ${rate.rateText}; ${missing} cannot be calculated from this request.`,
        rate.row.retailPricePpm === null ? '' : 'A request does not contain the retail price.',
        needs(rate, items),
      ]
    case 'boundNeedsStrength':
      return [tax.reason, 'The minimum rate depends on the alcoholic strength, which is not given.']
    case 'lowerBound': {
      const amount = least === undefined ? '' : `, which is ${formatEuro(least)} for these goods`
      return [
        tax.reason,
        `At least ${rate.rateText} is due${amount}.`,
        least === undefined ? needs(rate, items) : '',
      ]
    }
  }
}

/** The quantities that the request lacks: "It needs the quantity \"l pure alcohol\"." */
function needs(rate: ExciseRate, items: readonly CodedItem[]): string {
  const known = quantitiesOfAll(items)
  const lacking = countedQuantities(rate).filter((quantity) => !known.has(quantity))
  return lacking.length === 0 ? '' : `It needs the quantity "${lacking.join('" and "')}".`
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
