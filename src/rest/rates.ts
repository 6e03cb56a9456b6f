/**
 * POST /partners-api/v1/rates: reads the fields of the request, and builds one response per outcome.
 * See docs/rest-contract.md#rates.
 */
import type { JsonObject } from '../core/input.ts'
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
import { charge, faultsMessage, listInput, listWithin, placeInput, unquotedNumber } from './wire.ts'

/** Throws AllowanceExceeded. */
export function postRates(
  ports: Ports,
  caller: Caller,
  allowance: Allowance,
  request: BodySource,
): JsonResponse {
  const body = readJsonBody(request)
  if (body.kind === 'UnreadableBody') return fault(body.status, body.message)
  const input = ratesInput(body.fields)
  charge(allowance, ratesUnits(listWithin(input.parcels, RATES_LIMITS.parcelRows).length))
  const outcome = quoteRates(ports, caller, input)
  switch (outcome.kind) {
    case 'RateQuote':
      return { status: 200, body: ratesBody(outcome, caller) }
    case 'InputProblem':
      return fault(400, faultsMessage(outcome.fields))
  }
}

function fault(status: number, message: string): JsonResponse {
  return { status, body: ratesFault(message) }
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

function ratesBody({ options }: RateQuote, caller: Caller) {
  return {
    errors: false,
    message: countMessage(options.length),
    data: options.map((option) => optionBody(option, caller)),
  }
}

function countMessage(count: number): string {
  if (count === 0) return 'No shipping option is available for this request'
  return `${count} shipping ${count === 1 ? 'option' : 'options'} found`
}

/** JSON leaves out fields that are undefined. */
function optionBody({ product, priceCents, transit, lines }: RateOption, caller: Caller) {
  const { carrierName, productName, productId } = product
  // Transit times have one of two forms (docs/rest-contract.md#r10). "Workings" is the spelling of the contract.
  const isSingle = caller.transitForm === 'single'
  return {
    carrier: carrierName,
    product: productName,
    productId,
    price: priceCents / 100,
    estimatedTransitTimeInWorkingDays: isSingle ? transit.maxDays : undefined,
    minEstimatedTransitTimeInWorkingsDays: isSingle ? undefined : transit.minDays,
    maxEstimatedTransitTimeInWorkingsDays: isSingle ? undefined : transit.maxDays,
    priceBreakdown: caller.priceBreakdown ? lines.map(lineBody) : undefined,
  }
}

function lineBody({ item, amountCents, reason }: PriceLine) {
  return { item, amount: amountCents / 100, reason }
}
