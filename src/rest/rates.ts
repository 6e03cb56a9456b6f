/**
 * POST /partners-api/v1/rates: reads the fields of the request, and builds one response per outcome.
 * See docs/rest-contract.md#rates.
 */
import type { JsonObject } from '../core/input.ts'
import type { TransitTime } from '../core/rating/book/book-product.ts'
import type { PriceLine } from '../core/rating/price/price-line.ts'
import type { RateOption, RateQuote } from '../core/rating/quote.ts'
import { RATES_LIMITS, type RatesInput } from '../core/rating/request.ts'
import { type BodySource, readJsonBody } from '../http/json-body.ts'
import type { JsonResponse } from '../http/json-response.ts'
import { ratesUnits } from '../operations/points.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Allowance } from '../operations/ports/work.ts'
import { quoteRates } from '../operations/quote-rates.ts'
import { charge, euros, faultsMessage, listInput, listWithin, placeInput, unquotedNumber } from './wire.ts'

/** Throws AllowanceExceeded. */
export function postRates(
  ports: Ports,
  caller: Caller,
  allowance: Allowance,
  request: BodySource,
): JsonResponse {
  const body = readJsonBody(request)
  if (body.kind === 'UnreadableBody') return { status: body.status, body: ratesFault(body.message) }
  const input = ratesInput(body.fields)
  charge(allowance, ratesUnits(listWithin(input.parcels, RATES_LIMITS.parcelRows).length))
  const outcome = quoteRates(ports, caller, input)
  switch (outcome.kind) {
    case 'RateQuote':
      return { status: 200, body: ratesBody(outcome, caller) }
    case 'InputProblem':
      return { status: 400, body: ratesFault(faultsMessage(outcome.fields)) }
  }
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

function ratesBody(quote: RateQuote, caller: Caller) {
  return {
    errors: false,
    message: countMessage(quote.options.length),
    data: quote.options.map((option) => optionBody(option, caller)),
  }
}

function countMessage(count: number): string {
  if (count === 0) return 'No shipping option is available for this request'
  return count === 1 ? '1 shipping option found' : `${count} shipping options found`
}

function optionBody(option: RateOption, caller: Caller) {
  return {
    carrier: option.product.carrierName,
    product: option.product.productName,
    productId: option.product.productId,
    price: euros(option.priceCents),
    ...transitBody(option.transit, caller.transitForm),
    ...(caller.priceBreakdown && { priceBreakdown: option.lines.map(breakdownEntry) }),
  }
}

/** One of two forms (docs/rest-contract.md#r10). In the second, the contract writes "Workings" instead of "Working". */
function transitBody({ minDays, maxDays }: TransitTime, form: Caller['transitForm']) {
  switch (form) {
    case 'single':
      return { estimatedTransitTimeInWorkingDays: maxDays }
    case 'range':
      return {
        minEstimatedTransitTimeInWorkingsDays: minDays,
        maxEstimatedTransitTimeInWorkingsDays: maxDays,
      }
  }
}

function breakdownEntry({ item, amountCents, reason }: PriceLine) {
  return { item, amount: euros(amountCents), ...(reason !== undefined && { reason }) }
}
