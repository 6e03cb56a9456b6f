/**
 * POST /partners-api/v1/rates on the wire: which fields are read, and what each outcome looks like.
 * Source: the REST contract, docs/rest-contract.md.
 */

import type { TransitTime } from '../core/rating/book/book-product.ts'
import type { PriceLine } from '../core/rating/price/price-line.ts'
import type { RateOption, RateQuote } from '../core/rating/quote.ts'
import { RATES_LIMITS, type RatesInput } from '../core/rating/request.ts'
import { ratesUnits } from '../operations/points.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Allowance } from '../operations/ports/work.ts'
import { quoteRates } from '../operations/quote-rates.ts'
import { type BodySource, readJsonBody } from './json-body.ts'
import {
  charge,
  euros,
  faultsMessage,
  listInput,
  listWithin,
  placeInput,
  unquotedNumber,
  type WireAnswer,
  type WireObject,
} from './wire.ts'

/** Answers a rates request of an identified caller. Throws AllowanceExceeded, and what the operation throws. */
export function postRates(
  ports: Ports,
  caller: Caller,
  allowance: Allowance,
  request: BodySource,
): WireAnswer {
  const body = readJsonBody(request)
  if (body.kind === 'UnreadableBody') return { status: body.status, body: ratesFault(body.message) }
  const draft = ratesInput(body.fields)
  charge(allowance, ratesUnits(listWithin(draft.parcels, RATES_LIMITS.parcelRows).length))
  const outcome = quoteRates(ports, caller, draft)
  switch (outcome.kind) {
    case 'RateQuote':
      return { status: 200, body: ratesBody(outcome, caller) }
    case 'InputProblem':
      return { status: 400, body: ratesFault(faultsMessage(outcome.fields)) }
  }
}

/** The body of every answer that is no quote. */
export function ratesFault(message: string) {
  return { errors: true, message, data: [] }
}

function ratesInput(fields: WireObject): RatesInput {
  return {
    from: placeInput(fields, 'from'),
    to: placeInput(fields, 'to'),
    parcels: listInput(fields['parcels'], parcelInput),
    insured: fields['insured'],
    totalValue: unquotedNumber(fields['totalValue']),
    recipientType: fields['recipientType'],
  }
}

/** Numbers in parcels may come in quotes (specification 2.2), so they go on as they are. */
function parcelInput(row: WireObject) {
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

/** One form or the other, never both. "Workings" in the pair is the specification's spelling (2.3). */
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
