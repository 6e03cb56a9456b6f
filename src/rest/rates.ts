/**
 * POST /partners-api/v1/rates: reads the fields of the request, and builds one response per outcome.
 * See docs/rest-contract.md#rates.
 */
import type { JsonObject } from '../core/input.ts'
import { hundredths, quote } from '../core/json-text.ts'
import type { QuotedProduct, TransitTime } from '../core/rating/book/book-product.ts'
import type { PriceLine } from '../core/rating/price/price-line.ts'
import type { RateOption, RateQuote } from '../core/rating/quote.ts'
import { RATES_LIMITS, type RatesInput } from '../core/rating/request.ts'
import { type BodySource, readJsonBody } from '../http/json-body.ts'
import type { TextResponse } from '../http/json-response.ts'
import { ratesUnits } from '../operations/points.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Allowance } from '../operations/ports/work.ts'
import { quoteRates } from '../operations/quote-rates.ts'
import { charge, faultsMessage, listInput, listWithin, placeInput, unquotedNumber } from './wire.ts'

/** Throws AllowanceExceeded. */
export function postRates(
  ports: Ports,
  caller: Caller,
  allowance: Allowance,
  request: BodySource,
): TextResponse {
  const body = readJsonBody(request)
  if (body.kind === 'UnreadableBody') return fault(body.status, body.message)
  const input = ratesInput(body.fields)
  charge(allowance, ratesUnits(listWithin(input.parcels, RATES_LIMITS.parcelRows).length))
  const outcome = quoteRates(ports, caller, input)
  switch (outcome.kind) {
    case 'RateQuote':
      return { status: 200, text: ratesText(outcome, caller) }
    case 'InputProblem':
      return fault(400, faultsMessage(outcome.fields))
  }
}

function fault(status: number, message: string): TextResponse {
  return { status, text: JSON.stringify(ratesFault(message)) }
}

/** The error body of this endpoint. */
export function ratesFault(message: string) {
  return { errors: true, message, data: [] }
}

function ratesInput(fields: JsonObject): RatesInput {
  return {
    from: placeInput(fields, 'from'),
    to: placeInput(fields, 'to'),
    parcels: listInput(fields['parcels'], parcelInput),
    insured: fields['insured'],
    totalValue: unquotedNumber(fields['totalValue']),
    recipientType: fields['recipientType'],
  }
}

/** Numbers in parcels may be strings (docs/rest-contract.md#rates), so they are passed on unchanged. */
function parcelInput(row: JsonObject) {
  return {
    type: row['type'],
    weight: row['weight'],
    length: row['length'],
    width: row['width'],
    height: row['height'],
    count: row['count'],
    stackable: row['stackable'],
  }
}

/** Written as text, because building objects first would take twice as long. */
function ratesText({ options }: RateQuote, caller: Caller): string {
  let data = ''
  for (const option of options) data += `${data === '' ? '' : ','}${optionText(option, caller)}`
  return `{"errors":false,"message":"${countMessage(options.length)}","data":[${data}]}`
}

function countMessage(count: number): string {
  if (count === 0) return 'No shipping option is available for this request'
  return count === 1 ? '1 shipping option found' : `${count} shipping options found`
}

function optionText({ product, priceCents, transit, lines }: RateOption, caller: Caller): string {
  const breakdown = caller.priceBreakdown ? `,"priceBreakdown":${breakdownText(lines)}` : ''
  return `${productText(product)},"price":${hundredths(priceCents)},${transitText(transit, caller.transitForm)}${breakdown}}`
}

/** The first fields of an option, by product. */
const productTexts = new WeakMap<QuotedProduct, string>()

function productText(product: QuotedProduct): string {
  const known = productTexts.get(product)
  if (known !== undefined) return known
  const { carrierName, productName, productId } = product
  const text = `{"carrier":${quote(carrierName)},"product":${quote(productName)},"productId":${productId}`
  productTexts.set(product, text)
  return text
}

/** One of two forms (docs/rest-contract.md#r10). In the second, the contract writes "Workings" instead of "Working". */
function transitText({ minDays, maxDays }: TransitTime, form: Caller['transitForm']): string {
  switch (form) {
    case 'single':
      return `"estimatedTransitTimeInWorkingDays":${maxDays}`
    case 'range':
      return `"minEstimatedTransitTimeInWorkingsDays":${minDays},"maxEstimatedTransitTimeInWorkingsDays":${maxDays}`
  }
}

function breakdownText(lines: readonly PriceLine[]): string {
  let entries = ''
  for (const { item, amountCents, reason } of lines)
    entries +=
      `${entries === '' ? '' : ','}{"item":${quote(item)},"amount":${hundredths(amountCents)}` +
      `${reason === undefined ? '' : `,"reason":${quote(reason)}`}}`
  return `[${entries}]`
}
