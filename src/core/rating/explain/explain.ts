/**
 * Which rule made a line of a price, in words, with every figure that is needed to work it out again by hand.
 * Nothing is priced here: the figures are read where price.ts read them.
 *
 * Inputs are named in lower case words. `row n` is the n-th row of the request's parcels, and one unit of it.
 * - Freight: product, pricing basis, pricing day, from, to, lane (its groups), zone.
 *   By weight: weight rounded up to, volumetric divisor, weight of a cubic metre, weight of a loading metre,
 *   weight of a document; row n actual weight, size, stackable, volumetric weight, units, chargeable weight. Then
 *   band, with band price (step, begun steps, step price) or rate per 100 kg: under `row n` where units are
 *   priced, else for the weight billed. With deficit weight: chargeable weight, weight billed, next band, next
 *   rate per 100 kg.
 *   By pallet class: row n units, actual weight, size, pallet class, class holds, spaces, class price.
 * - Contract: agreement, freight, change.
 * - Surcharge: trigger, method. Flat: amount; where it is counted, row n units and units.
 *   Per kilogram: row n units, row n chargeable weight, weight billed, rate per kg, minimum (times units, if given).
 *   Percent and fuel: `base: ` with each line it is of, base, rate ("none": no fuel rate is set), rate since,
 *   minimum; contract change (of the rate), agreement.
 * - Insurance: value, free cover, covers, rate, minimum.
 *
 * Figures are exact. Where an amount is rounded the formula says so: half up to the cent, which is to the higher
 * amount at exactly a half, also below zero.
 */

import { type ContractRow, scopeText } from '../contract.ts'
import { freeCovers, type PricingCase } from '../price/price.ts'
import type { RateOption } from '../quote.ts'
import { type RateCardHead, versionText } from '../rate-card.ts'
import {
  type AppliedRule,
  agreementText,
  input,
  minimumText,
  type RuleText,
  roundingText,
  timesText,
} from './applied-rule.ts'
import { euroText, percentText } from './figure-text.ts'
import { explainFreight } from './freight.ts'
import { explainSurcharge } from './surcharge.ts'

export type { AppliedRule, RuleInput } from './applied-rule.ts'

/** The rule that made a line of an option, and what it was applied to. RangeError where there is no such line. */
export function explainLine(option: RateOption, index: number): AppliedRule {
  const { code, versionNo } = option.card
  return { card: code, versionNo, ...ruleOf(option, index) }
}

function ruleOf({ card, lines, pricing }: RateOption, index: number): RuleText {
  const line = lines[index]
  if (line === undefined) throw new RangeError(`a price of ${lines.length} lines has no line ${index}`)
  const { cause } = line
  const { product, shared, zoneNumber } = pricing
  const { carrier } = shared.group
  const version = versionText(card)
  switch (cause.kind) {
    case 'freight': {
      const id = `${version}/${product.terms.productId}/zone ${zoneNumber}/freight`
      return { id, validFrom: card.validFrom, ...explainFreight(pricing) }
    }
    case 'contract':
      // The contract's line comes right after the freight it changes.
      return explainContract(cause.contract, lines[index - 1]!.amountCents)
    case 'surcharge': {
      const id = `${version}/${carrier.code}/${cause.surcharge.code}${ownStart(cause.surcharge, card)}`
      const { validFrom } = cause.surcharge
      return { id, validFrom, ...explainSurcharge(pricing, cause, lines.slice(0, index)) }
    }
    case 'insurance':
      return {
        id: `${version}/${carrier.code}/insurance`,
        validFrom: card.validFrom,
        ...explainInsurance(pricing),
      }
  }
}

/** A version may hold a surcharge several times, each from another day; one of them may begin with the card. */
function ownStart({ validFrom }: { readonly validFrom: string }, card: RateCardHead): string {
  return validFrom === card.validFrom ? '' : `/${validFrom}`
}

function explainContract(contract: ContractRow, freightCents: number): RuleText {
  const { accountId, freightBps, validFrom } = contract
  const [change, freight] = [percentText(freightBps), euroText(freightCents)]
  return {
    id: `contract/${accountId}/${scopeText(contract)}/${validFrom}`,
    formula: `${change} of ${freight} (freight)${roundingText(freightCents, freightBps, 10_000)}`,
    inputs: [input('agreement', agreementText(contract)), input('freight', freight), input('change', change)],
    validFrom,
  }
}

function explainInsurance({ product, shared, facts }: PricingCase): Pick<RuleText, 'formula' | 'inputs'> {
  const { request, extremes } = facts
  const terms = shared.group.carrier.insurance!
  const { freeCoverCents, rateBps, minimumCents } = terms
  const valueCents = request.insuredValueCents!
  const covers = freeCovers(terms, product.terms.pricingBasis, extremes.units)
  const [value, rate] = [euroText(valueCents), percentText(rateBps)]
  const cover = `the free cover of ${timesText(covers)}${euroText(freeCoverCents)}`
  const isFree = valueCents <= freeCoverCents * covers
  const over = freeCoverCents === 0 ? '' : ` (the whole value, as it is over ${cover})`
  const rounding = roundingText(valueCents, rateBps, 10_000)
  const premium = `${rate} of ${value}${over}${rounding}${minimumText(minimumCents)}`
  return {
    formula: isFree ? `nothing, as ${value} is within ${cover}` : premium,
    inputs: [
      input('value', value),
      input('free cover', euroText(freeCoverCents)),
      input('covers', covers),
      input('rate', rate),
      input('minimum', euroText(minimumCents)),
    ],
  }
}
