/** Reads, checks and compiles the price lists of test/fixtures/rate-cards, and quotes them in a short form. */

import { fileURLToPath } from 'node:url'
import { formatCents } from '../../../src/core/money.ts'
import { checkRateCard } from '../../../src/core/rate-card-review/check/card-check.ts'
import type { CardFinding, CardFindings } from '../../../src/core/rate-card-review/check/findings.ts'
import { describeDecline } from '../../../src/core/rating/book/limits.ts'
import { quote, type RateOption, type RateQuote } from '../../../src/core/rating/quote.ts'
import type { RateCardImport } from '../../../src/core/rating/rate-card.ts'
import { checkRatesRequest, type RatesInput, type RatesRequest } from '../../../src/core/rating/request.ts'
import { openRateCardFiles, readRateCard } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { exchangeRates } from './exchange-rates.ts'
import { bookOf } from './rate-cards.ts'

/** An offer: euro, working days, and the chargeable weight of one unit of each row in kilograms. */
export type Bill = {
  readonly price: string
  readonly lines: readonly (readonly [item: string, euro: string])[]
  readonly kg: readonly number[]
  readonly days: string
}

/** A decline: its code, and the exceeded limit with the actual figure, if there is one. */
export type Refusal = { readonly code: string; readonly limit?: string; readonly actual?: string }

export type PriceList = {
  readonly findings: CardFindings
  /** The option of a product; throws if it is declined. */
  option(productId: number, input: RatesInput, day?: string): RateOption
  /** The offer of a product; throws if it is declined. */
  bill(productId: number, input: RatesInput, day?: string): Bill
  /** The freight of a product, in euro. */
  freight(productId: number, input: RatesInput, day?: string): string
  /** The decline of a product; throws if it is offered. */
  refusal(productId: number, input: RatesInput, day?: string): Refusal
}

/** A day before all seasons, dated changes and new fuel rates of the lists. */
export const EARLY_DAY = '2026-09-01'

/** Reads a list by the name of its folder; throws if it has a fault. */
export function openPriceList(name: string, rateSource = exchangeRates()): PriceList {
  const card = readPriceList(name)
  const book = bookOf(card)
  const answer = (input: RatesInput, day: string): RateQuote =>
    quote(book, requestOf(input), day, undefined, rateSource)
  const bill = (productId: number, input: RatesInput, day = EARLY_DAY): Bill =>
    billOf(productId, answer(input, day))
  return {
    findings: checkRateCard(card),
    option: (productId, input, day = EARLY_DAY) => optionOf(productId, answer(input, day)),
    bill,
    freight: (productId, input, day) => bill(productId, input, day).lines[0]?.[1] ?? 'no line',
    refusal: (productId, input, day = EARLY_DAY) => refusalOf(productId, answer(input, day)),
  }
}

/** Throws if the list has a fault. */
export function readPriceList(name: string): RateCardImport {
  const folder = fileURLToPath(new URL(`../../fixtures/rate-cards/${name}`, import.meta.url))
  const { card, faults, warnings } = readRateCard(openRateCardFiles(folder))
  if (card === undefined || faults.length > 0 || warnings.length > 0)
    throw new Error(`${name}: ${JSON.stringify([...faults, ...warnings], null, 2)}`)
  return card
}

/** Throws if the input is invalid. */
export function requestOf(input: RatesInput): RatesRequest {
  const request = checkRatesRequest(input)
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  return request
}

function optionOf(productId: number, { options, declined }: RateQuote): RateOption {
  const option = options.find(({ product }) => product.productId === productId)
  if (option === undefined) {
    const decline = declined.find(({ product }) => product.productId === productId)?.decline
    throw new Error(`${productId} is declined: ${decline && describeDecline(decline).message}`)
  }
  return option
}

export function billOf(productId: number, quoted: RateQuote): Bill {
  const option = optionOf(productId, quoted)
  const { minDays, maxDays } = option.transit
  return {
    price: formatCents(option.priceCents),
    lines: option.lines.map(({ item, amountCents }) => [item, formatCents(amountCents)]),
    kg: option.chargeable.map(({ chargeableGrams }) => chargeableGrams / 1000),
    days: minDays === maxDays ? `${minDays}` : `${minDays}-${maxDays}`,
  }
}

export function refusalOf(productId: number, { options, declined }: RateQuote): Refusal {
  if (options.some(({ product }) => product.productId === productId))
    throw new Error(`${productId} is offered`)
  const decline = declined.find(({ product }) => product.productId === productId)?.decline
  if (decline === undefined) throw new Error(`${productId} is neither offered nor declined`)
  const { limit, actual } = describeDecline(decline)
  return {
    code: decline.code,
    ...(limit !== undefined && { limit }),
    ...(actual !== undefined && { actual }),
  }
}

/** A row of parcels of `weight` kg and `size` "40x30x20" cm. */
export function parcels(weight: number, size: string, count = 1): object {
  const [length, width, height] = size.split('x').map(Number)
  return { type: 'NONDOC', weight, length, width, height, count }
}

/** A row of pallets of `weight` kg and `size` "120x80x110" cm. */
export function pallets(weight: number, size: string, count = 1, stackable = true): object {
  return { ...parcels(weight, size, count), type: 'PALLET', stackable }
}

/** A row of documents. */
export function documents(count: number): object {
  return { type: 'DOC', count }
}

/** The table, the row in its file and the field of each finding. */
export function briefly(findings: readonly CardFinding[]): readonly string[] {
  return findings.map(({ table, index, field }) =>
    [table, index === undefined ? '' : index + 2, field].join(' ').trim(),
  )
}

/** The input for a business. An end is "NL 1012", "AE", "ES/Ceuta" (with a city) or "ES 28013/Ceuta". */
export function route(from: string, to: string, rows: readonly object[], more: object = {}): RatesInput {
  return { from: placeOf(from), to: placeOf(to), parcels: rows, recipientType: 'business', ...more }
}

function placeOf(text: string): RatesInput['from'] {
  const [before = '', city] = text.split('/')
  const [country = '', ...code] = before.split(' ')
  const zipcode = code.join(' ')
  return { country, ...(zipcode !== '' && { zipcode }), ...(city !== undefined && { city }) }
}
