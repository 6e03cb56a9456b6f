/** Resolvers of `rates`, `ratesBatch` and their quotes, and the conversion of their input to core's input. */
import type { PlaceInput as CorePlaceInput } from '../../core/input.ts'
import type { InputProblem } from '../../core/problem.ts'
import { addableServices, availableServices, servicePriceIn } from '../../core/rating/available-services.ts'
import type { DeliveryDates } from '../../core/rating/delivery/delivery-dates.ts'
import { explainLine } from '../../core/rating/explain/explain.ts'
import { priceIn } from '../../core/rating/price/price-in-currency.ts'
import type { RateOption } from '../../core/rating/quote.ts'
import type { RatesInput as CoreRatesInput } from '../../core/rating/request.ts'
import { badgesOf, type SelectedQuote, type SelectionInput } from '../../core/rating/selection.ts'
import { datesOfOption } from '../../operations/delivery-dates.ts'
import { optionToken } from '../../operations/option-tokens.ts'
import { addedServicesUnits, figuresUnits } from '../../operations/points.ts'
import type { Ports } from '../../operations/ports/ports.ts'
import { quoteRates, quoteRatesBatch } from '../../operations/quote-rates.ts'
import { badArguments } from '../errors.ts'
import type { PlaceInput, QueryResolvers, RatesInput, RecipientType, Resolvers } from '../generated.ts'
import { parcelsIn, parcelsInput } from '../parcels.ts'
import {
  presentChargeable,
  presentConverted,
  presentDeclined,
  presentLines,
  presentOption,
  presentQuote,
  presentRule,
} from '../presenters/rates.ts'
import { presentAvailable } from '../presenters/services.ts'
import { presentInputProblem, typed } from '../presenters/typed.ts'

export const ratesQueries: Required<Pick<QueryResolvers, 'rates' | 'ratesBatch'>> = {
  rates: (_root, { input }, { ports, caller }) =>
    presentOutcome(quoteRates(ports, caller, ratesInput(input), selectionInput(input)), input),
  ratesBatch: async (_root, { inputs }, { ports, caller, turns }) => {
    const entries = inputs.map((input) => ({ input: ratesInput(input), selection: selectionInput(input) }))
    const outcome = await quoteRatesBatch(ports, caller, entries, turns)
    switch (outcome.kind) {
      case 'RatesBatch':
        return typed({
          kind: outcome.kind,
          results: outcome.results.map((result, index) => presentOutcome(result, inputs[index])),
        })
      case 'InputProblem':
        return presentInputProblem(outcome)
    }
  },
}

function presentOutcome(outcome: SelectedQuote | InputProblem, input: RatesInput | undefined) {
  switch (outcome.kind) {
    case 'RateQuote':
      return presentQuote(outcome)
    case 'InputProblem':
      return presentInputProblem(outcome, input && parcelsIn(input.parcels).list)
  }
}

/** The fields of a quote that are calculated only if they are selected. */
export const quoteFields: Pick<Resolvers, 'RateQuote' | 'RateOption' | 'PriceLine' | 'AvailableService'> = {
  RateQuote: {
    options: ({ quote }) => {
      const badges = badgesOf(quote.options)
      return quote.options.map((option) => presentOption(option, badges))
    },
    declined: ({ quote }) => quote.declined.map(presentDeclined),
  },
  RateOption: {
    token: ({ option }, _arguments, { ports, caller }) => optionToken(ports, caller, option),
    breakdown: ({ option }) => presentLines(option),
    chargeable: ({ option }) => option.chargeable.map(presentChargeable),
    priceIn: ({ option }, { currency }) => presentPriceIn(option, currency),
    availableServices: ({ option }, _arguments, { meter }) => {
      const services = addableServices(option)
      const rows = option.pricing.facts.request.parcels.length
      meter.require(addedServicesUnits(services.length, rows))
      return availableServices(option, services).map(presentAvailable)
    },
    pickupDate: ({ option }, _arguments, { ports }) => datesOf(ports, option).pickup ?? null,
    earliestDelivery: ({ option }, _arguments, { ports }) => datesOf(ports, option).earliest ?? null,
    latestDelivery: ({ option }, _arguments, { ports }) => datesOf(ports, option).latest ?? null,
  },
  AvailableService: {
    priceIn: ({ available: { price } }, { currency }) =>
      price === undefined ? null : presentConverted(servicePriceIn(price, readCurrency(currency))),
  },
  PriceLine: {
    rule: ({ option, index }, _arguments, { meter }) => {
      const rule = explainLine(option, index)
      meter.require(figuresUnits(rule.inputs.length))
      return presentRule(rule)
    },
  },
}

export function presentPriceIn(option: RateOption, currency: string | null | undefined) {
  return presentConverted(priceIn(option, readCurrency(currency)))
}

/** Undefined for the currency of the rate card. An unknown currency is accepted: it has no exchange rate. */
function readCurrency(currency: string | null | undefined): string | undefined {
  if (currency == null) return undefined
  if (/^[A-Z]{3}$/.test(currency)) return currency
  throw badArguments([
    { path: ['currency'], code: 'MALFORMED', message: 'must be an ISO 4217 code such as GBP' },
  ])
}

/** Options belong to one request. The three fields of an option share one calculation. */
const knownDates = new WeakMap<RateOption, DeliveryDates>()

function datesOf(ports: Ports, option: RateOption): DeliveryDates {
  const dates = knownDates.get(option) ?? datesOfOption(ports, option)
  knownDates.set(option, dates)
  return dates
}

const RECIPIENTS: Readonly<Record<RecipientType, string>> = { INDIVIDUAL: 'individual', BUSINESS: 'business' }

export function recipientInput(recipient: RecipientType | null | undefined): string | undefined {
  return recipient == null ? undefined : RECIPIENTS[recipient]
}

export function ratesInput({
  from,
  to,
  parcels,
  recipientType,
  insured,
  totalValue,
  services,
  asOf,
  shippingDate,
}: RatesInput): CoreRatesInput {
  return {
    from: placeInput(from),
    to: placeInput(to),
    parcels: parcelsInput(parcels),
    insured,
    totalValue: totalValue?.amount,
    recipientType: recipientInput(recipientType),
    services,
    asOf,
    shippingDate,
  }
}

export function selectionInput({ filter, sort }: RatesInput): SelectionInput {
  if (filter == null) return { sort }
  const { carrierIds, productIds, maxPrice, maxWorkingDays } = filter
  return {
    filter: {
      carriers: carrierIds,
      products: productIds,
      maxPrice: maxPrice?.amount,
      maxTransitDays: maxWorkingDays,
    },
    sort,
  }
}

export function placeInput({ country, postalCode, city }: PlaceInput): CorePlaceInput {
  return { country, zipcode: postalCode, city }
}
