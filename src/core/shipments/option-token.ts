/**
 * What the token of a rate option promises, and which request it is for. The port `OptionTokens` signs and reads
 * tokens. See docs/checkout.md.
 */

import { formatCents } from '../money.ts'
import { type FieldProblem, type InputProblem, inputProblem } from '../problem.ts'
import { versionText } from '../rating/card-version.ts'
import type { RateOption } from '../rating/quote.ts'
import type { RatesRequest } from '../rating/request.ts'
import { serviceInputsText } from '../rating/service-inputs.ts'

/** The price of an option, as it was shown. Times in seconds since 1970. */
export type OptionPromise = {
  readonly productId: number
  readonly carrierCode: string
  /** Euro cents without VAT. */
  readonly priceCents: number
  /** The version of the rate card that the price comes from, such as "demo@1". */
  readonly rateCardVersion: string
  /** The revision of the rate book. With the account and the day, it determines contract and fuel percentages. */
  readonly bookRevision: number
  /** Whether the contracts of the account were applied. False for the list prices that a web page sees. */
  readonly isAccountPrice: boolean
  readonly issuedAt: number
  /** The first second at which the price no longer holds. */
  readonly expiresAt: number
}

/** The parts of a request that determine its prices, in the order of the input. */
export const REQUEST_PARTS = [
  'from',
  'to',
  'parcels',
  'insurance',
  'recipientType',
  'services',
  'asOf',
] as const
export type RequestPart = (typeof REQUEST_PARTS)[number]

/** Each part as a text. Texts are equal if the validated values are: "nl" and "NL", "5.0" and 5 kilograms. */
export type RequestTexts = Readonly<Record<RequestPart, string>>

/** `today`: the UTC day, 'YYYY-MM-DD'. A request for the prices of today is the same as one without a day. */
export function requestTexts(request: RatesRequest, today: string): RequestTexts {
  const { from, to, recipient, insuredValueCents, services = [], serviceInputs, date = today } = request
  return {
    from: placeText(from),
    to: placeText(to),
    parcels: parcelsText(request),
    insurance: insuredValueCents === undefined ? '' : String(insuredValueCents),
    recipientType: recipient,
    // Without inputs as in former versions, so that their tokens stay valid.
    services: services.join(' ') + serviceInputsText(serviceInputs),
    asOf: date === today ? '' : date,
  }
}

export function parcelsText({ parcelType, parcels }: Pick<RatesRequest, 'parcelType' | 'parcels'>): string {
  const rows = parcels.map((row) => [
    row.count,
    row.weightGrams,
    row.lengthCm,
    row.widthCm,
    row.heightCm,
    row.stackable,
    // Added only if they are stated, so that tokens of former versions stay valid.
    ...(row.shape === undefined && row.packaging === undefined
      ? []
      : [row.shape ?? null, row.packaging ?? null]),
    ...(row.freightClassTenths === undefined ? [] : [{ freightClass: row.freightClassTenths }]),
  ])
  return JSON.stringify([parcelType, rows])
}

export function placeText({ country, zipcode, city }: RatesRequest['from']): string {
  return JSON.stringify([country, zipcode ?? null, city ?? null])
}

/** `minutes`: how long the price holds. `seconds`: the current time. */
export function promiseOf(
  { product, priceCents, card, pricing }: RateOption,
  { seconds, minutes, isAccountPrice }: { seconds: number; minutes: number; isAccountPrice: boolean },
): OptionPromise {
  return {
    productId: product.productId,
    carrierCode: product.carrierCode,
    priceCents,
    rateCardVersion: versionText(card),
    bookRevision: pricing.facts.book.revision,
    isAccountPrice,
    issuedAt: seconds,
    expiresAt: seconds + minutes * 60,
  }
}

/** The price of the token no longer holds, so nothing was created. */
export type OptionExpired = {
  readonly kind: 'OptionExpired'
  readonly code: 'PRICE_EXPIRED'
  readonly message: string
  readonly retryable: false
  /** The price of the token. */
  readonly quotedPriceCents: number
  /** ISO 8601 in UTC. */
  readonly expiredAt: string
  /** The same product at its current price. Absent if it is no longer offered for the request. */
  readonly current?: RateOption
}

/** `current`: what the same product costs the account now. */
export function optionExpired(
  { priceCents, isAccountPrice, expiresAt }: OptionPromise,
  current: RateOption | undefined,
): OptionExpired {
  const expiredAt = new Date(expiresAt * 1000).toISOString()
  const quoted = isAccountPrice
    ? `The price of EUR ${formatCents(priceCents)} was valid until ${expiredAt}.`
    : `The price of EUR ${formatCents(priceCents)} is a list price, and not the price of the account.`
  const advice =
    current === undefined
      ? 'The product is no longer offered for this request'
      : `The price is now EUR ${formatCents(current.priceCents)}`
  return {
    kind: 'OptionExpired',
    code: 'PRICE_EXPIRED',
    message: `${quoted} ${advice}`,
    retryable: false,
    quotedPriceCents: priceCents,
    expiredAt,
    ...(current !== undefined && { current }),
  }
}

export function invalidToken(): InputProblem {
  return inputProblem([{ path: ['optionToken'], code: 'UNKNOWN_VALUE', message: 'the token is not valid' }])
}

export function otherProduct({ productId }: OptionPromise): InputProblem {
  const message = `the token is for the product ${productId}`
  return inputProblem([{ path: ['preferredShippingOption'], code: 'CONFLICT', message }])
}

/** The fields of the input in which a request differs from the one of the token. Empty: they are not known. */
export function otherRequest(parts: readonly RequestPart[]): InputProblem {
  const fields = parts.map(
    (part): FieldProblem => ({ path: PATHS[part], code: 'CONFLICT', message: DIFFERS[part] }),
  )
  return inputProblem(
    fields.length > 0 ? fields : [{ path: ['rates'], code: 'CONFLICT', message: DIFFERENT }],
  )
}

const DIFFERENT = 'differs from the request that the token was created for'

const PATHS: Readonly<Record<RequestPart, FieldProblem['path']>> = {
  from: ['rates', 'from'],
  to: ['rates', 'to'],
  parcels: ['rates', 'parcels'],
  insurance: ['rates', 'totalValue'],
  recipientType: ['rates', 'recipientType'],
  services: ['rates', 'services'],
  asOf: ['optionToken'],
}

const DIFFERS: Readonly<Record<RequestPart, string>> = {
  from: DIFFERENT,
  to: DIFFERENT,
  parcels: DIFFERENT,
  insurance: DIFFERENT,
  recipientType: DIFFERENT,
  services: DIFFERENT,
  // The request of a draft has no `asOf`.
  asOf: 'the token has the price of another day, because it was requested with `asOf`',
}
