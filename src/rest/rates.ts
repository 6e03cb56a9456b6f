/**
 * POST /partners-api/v1/rates: reads the fields of the request, and builds one response per outcome.
 * See docs/rest-contract.md#rates.
 */
import type { JsonObject } from '../core/input.ts'
import {
  COMMA,
  END_OF_LIST,
  END_OF_OBJECT,
  type JsonBytes,
  jsonPart,
  rememberedPart,
  startJson,
} from '../core/json-bytes.ts'
import { quote } from '../core/json-text.ts'
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
      return { status: 200, text: ratesBody(outcome, caller) }
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

const START = jsonPart('{"errors":false,"message":"')
const DATA = jsonPart('","data":[')
const NO_OPTION = jsonPart('No shipping option is available for this request')
const OPTION_FOUND = jsonPart(' shipping option found')
const OPTIONS_FOUND = jsonPart(' shipping options found')
const TRANSIT = jsonPart(',"estimatedTransitTimeInWorkingDays":')
// The contract writes "Workings" instead of "Working" (docs/rest-contract.md#r10).
const MIN_TRANSIT = jsonPart(',"minEstimatedTransitTimeInWorkingsDays":')
const MAX_TRANSIT = jsonPart(',"maxEstimatedTransitTimeInWorkingsDays":')
const BREAKDOWN = jsonPart(',"priceBreakdown":[')
const itemPart = rememberedPart('{"item":', ',"amount":')
const reasonPart = rememberedPart(',"reason":', '}')

function ratesBody({ options }: RateQuote, caller: Caller): Buffer {
  const json = addCountMessage(startJson().add(START), options.length).add(DATA)
  for (let index = 0; index < options.length; index++) {
    if (index > 0) json.character(COMMA)
    addOption(json, options[index]!, caller)
  }
  return json.character(END_OF_LIST).character(END_OF_OBJECT).finish()
}

function addCountMessage(json: JsonBytes, count: number): JsonBytes {
  if (count === 0) return json.add(NO_OPTION)
  return json.integer(count).add(count === 1 ? OPTION_FOUND : OPTIONS_FOUND)
}

function addOption(
  json: JsonBytes,
  { product, priceCents, transit, lines }: RateOption,
  caller: Caller,
): void {
  json.add(productPart(product)).hundredths(priceCents)
  addTransit(json, transit, caller.transitForm)
  if (caller.priceBreakdown) addBreakdown(json, lines)
  json.character(END_OF_OBJECT)
}

/** The first fields of an option, up to its price, by product. */
const productParts = new WeakMap<QuotedProduct, Uint8Array>()

function productPart(product: QuotedProduct): Uint8Array {
  const known = productParts.get(product)
  if (known !== undefined) return known
  const { carrierName, productName, productId } = product
  const part = jsonPart(
    `{"carrier":${quote(carrierName)},"product":${quote(productName)},"productId":${productId},"price":`,
  )
  productParts.set(product, part)
  return part
}

/** One of two forms (docs/rest-contract.md#r10). */
function addTransit(json: JsonBytes, { minDays, maxDays }: TransitTime, form: Caller['transitForm']): void {
  switch (form) {
    case 'single':
      json.add(TRANSIT).integer(maxDays)
      break
    case 'range':
      json.add(MIN_TRANSIT).integer(minDays).add(MAX_TRANSIT).integer(maxDays)
  }
}

function addBreakdown(json: JsonBytes, lines: readonly PriceLine[]): void {
  json.add(BREAKDOWN)
  for (let index = 0; index < lines.length; index++) {
    const { item, amountCents, reason } = lines[index]!
    if (index > 0) json.character(COMMA)
    json.add(itemPart(item)).hundredths(amountCents)
    if (reason === undefined) json.character(END_OF_OBJECT)
    else json.add(reasonPart(reason))
  }
  json.character(END_OF_LIST)
}
