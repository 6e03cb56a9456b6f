/**
 * The price of one product for one request, line by line, in this order: freight, contract, accessorial surcharges,
 * percentages of freight plus fuelable accessorials, fixed items, insurance. A surcharge is followed by the change that
 * a contract makes to it. Amounts are those of the rate card: cents of its currency, with VAT if the card includes it.
 * Each line is rounded once, half up, to the step of the card, which is usually the cent. The price is the sum of the
 * lines. conversion.ts converts it to euro without VAT.
 * Rules: docs/rate-cards.md#how-a-price-is-calculated; docs/rate-card-files.md#surcharges.
 */
import { mulDivToStep, roundHalfUp } from '../../money.ts'
import { billedShipmentGrams, type ChargeableParcel } from '../book/chargeable-weight.ts'
import type { Decline } from '../book/limits.ts'
import type { Surcharge } from '../book/surcharge.ts'
import { valueInCurrency } from '../currency/conversion.ts'
import { freightChanges, surchargeChange } from './contract-lines.ts'
import { type CountedFacts, formulaCents } from './formula.ts'
import { freightOf } from './freight.ts'
import { fuelAmount } from './fuel.ts'
import { freeCovers, insurancePremium } from './insurance.ts'
import { type JointSum, jointRate, nextJointCents } from './percentages.ts'
import { type ApplicableSurcharge, type LineCause, type PriceLine, surchargeLine } from './price-line.ts'
import { type PricingCase, roundingStep } from './pricing-case.ts'

export { type PricingCase, roundingStep } from './pricing-case.ts'

const FREIGHT: LineCause = { kind: 'freight' }
const INSURANCE: LineCause = { kind: 'insurance' }

/** The lines of a price, or a decline if the price list does not cover all parcels. */
export function priceProduct(pricing: PricingCase): readonly PriceLine[] | Decline {
  if (pricing.shared.declined !== undefined) return pricing.shared.declined
  const freight = freightOf(pricing)
  if (typeof freight !== 'number') return freight
  const { charges } = pricing.shared
  const step = roundingStep(pricing)
  const changes = freightChanges(pricing, freight, step)
  const hasSurchargeChanges = pricing.contract?.surcharges !== undefined
  const premium = premiumOf(pricing)
  const count = 1 + changes.length + charges.length + (premium === undefined ? 0 : 1)
  // Allocated with its final length, because an array that grows by push takes four times the memory.
  const lines = new Array<PriceLine>(count)
  lines[0] = { kind: 'BASE', item: 'Freight', amountCents: freight, cause: FREIGHT }
  let next = 1
  let adjustedCents = freight
  for (const change of changes) {
    lines[next++] = change
    adjustedCents += change.amountCents
  }
  let fuelableCents = adjustedCents
  const joint = openJointSum(pricing)
  for (const charge of charges) {
    const { surcharge, flatLine } = charge
    const isAccessorial = surcharge.phase === 'accessorial'
    const baseCents = isAccessorial ? adjustedCents : fuelableCents
    const line = flatLine ?? surchargeLine(charge, amountOf(charge, pricing, baseCents, adjustedCents, joint))
    lines[next++] = line
    if (isAccessorial && surcharge.fuelable) fuelableCents += line.amountCents
    if (!hasSurchargeChanges) continue
    const change = surchargeChange(pricing, charge, line.amountCents, step)
    if (change === undefined) continue
    // Beyond the length of the array, which grows.
    lines[next++] = change
    if (isAccessorial && surcharge.fuelable) fuelableCents += change.amountCents
  }
  if (premium !== undefined)
    lines[next] = { kind: 'INSURANCE', item: 'Insurance', amountCents: premium, cause: INSURANCE }
  return lines
}

/** Undefined if each percentage is rounded. */
function openJointSum({ shared }: PricingCase): JointSum | undefined {
  return shared.group.priceTerms?.percentagesTogether === true ? { rate: 0n, cents: 0 } : undefined
}

function amountOf(
  charge: ApplicableSurcharge,
  pricing: PricingCase,
  baseCents: number,
  freightCents: number,
  joint: JointSum | undefined,
): number {
  const { surcharge, rows, times } = charge
  const { method, amount } = surcharge
  const step = roundingStep(pricing)
  if (joint !== undefined) {
    const rate = jointRate(charge, pricing.contract)
    if (rate !== undefined) return nextJointCents(joint, rate, baseCents, step)
  }
  switch (method) {
    case 'flat':
      return amount * times
    case 'per_kg':
      return perKilogram(surcharge, pricing, rows, step)
    case 'pct':
      return withinLimits(mulDivToStep(baseCents, amount, 10_000, step), surcharge)
    case 'fuel': {
      // Without a figure, the line is 0, and says so.
      if (charge.fuel?.rateBps === undefined) return 0
      const { rateBps, per } = charge.fuel
      if (per !== undefined) {
        const { factor, numerator, denominator } = fuelAmount(charge, pricing, rateBps, per)
        return withinLimits(mulDivToStep(factor, numerator, denominator, step), surcharge)
      }
      const fuelBps = pricing.contract?.fuel?.bps ?? 0
      const share =
        fuelBps === 0
          ? mulDivToStep(baseCents, rateBps, 10_000, step)
          : mulDivToStep(baseCents, rateBps * (10_000 + fuelBps), 100_000_000, step)
      return withinLimits(share, surcharge)
    }
    case 'formula':
      return formulaAmount(pricing, surcharge, rows, freightCents)
  }
}

function formulaAmount(
  pricing: PricingCase,
  surcharge: Surcharge,
  rows: readonly number[],
  freightCents: number,
): number {
  const cases = formulaCases(pricing, surcharge, rows, freightCents)
  return formulaCents(surcharge.formula!, cases, roundingStep(pricing))
}

/** What a formula is evaluated for: the shipment, or each row that is charged. */
export function formulaCases(
  { product, chargeable, facts, shared }: PricingCase,
  { per }: Pick<Surcharge, 'per'>,
  rows: readonly number[],
  freightCents: number,
): readonly CountedFacts[] {
  const { shipment, parcels } = shared.route.surchargeFacts
  if (per === 'shipment') {
    const unit = facts.request.parcels[0]!
    const billedGrams = billedShipmentGrams(product.terms, chargeable)
    return [{ facts: { shipment, unit, billedGrams, freightCents }, count: 1 }]
  }
  return rows.map((row) => {
    const { chargeableGrams: billedGrams, count } = chargeable[row]!
    return { facts: { shipment, unit: parcels[row]!, billedGrams, freightCents }, count }
  })
}

/** The minimum and the maximum of a charge, in cents. An undefined maximum means that there is none. */
export type ChargeLimits = Pick<Surcharge, 'minimumCents' | 'maximumCents'>

function withinLimits(cents: number, { minimumCents, maximumCents }: ChargeLimits): number {
  if (cents < minimumCents) return minimumCents
  return maximumCents !== undefined && cents > maximumCents ? maximumCents : cents
}

/** Cents per kilogram of chargeable weight. Minimum and maximum apply to the shipment, or to each unit. */
function perKilogram(
  surcharge: Surcharge,
  { product, chargeable }: PricingCase,
  rows: readonly number[],
  step: number,
): number {
  const { amount, per } = surcharge
  if (per === 'shipment')
    return withinLimits(
      mulDivToStep(amount, billedShipmentGrams(product.terms, chargeable), 1000, step),
      surcharge,
    )
  const charged = rows.map((row) => chargeable[row]!)
  return roundHalfUp(perUnitThousandths(surcharge, charged), BigInt(1000 * step)) * step
}

/**
 * Adds up the charges of all units, in thousandths of a cent. Each unit is charged the rate times its weight, but not
 * less than the minimum and not more than the maximum.
 */
export function perUnitThousandths(
  { amount, minimumCents, maximumCents }: ChargeLimits & Pick<Surcharge, 'amount'>,
  rows: readonly ChargeableParcel[],
): bigint {
  const minimum = BigInt(minimumCents) * 1000n
  const maximum = maximumCents === undefined ? undefined : BigInt(maximumCents) * 1000n
  let thousandths = 0n
  for (const { chargeableGrams, count } of rows) {
    let charge = BigInt(amount) * BigInt(chargeableGrams)
    if (charge < minimum) charge = minimum
    else if (maximum !== undefined && charge > maximum) charge = maximum
    thousandths += charge * BigInt(count)
  }
  return thousandths
}

/** The insurance premium in cents; undefined if the shipment is not insured. */
function premiumOf(pricing: PricingCase): number | undefined {
  const { product, shared, facts } = pricing
  const { insurance } = shared.group.carrier
  const valueCents = insuredValueOf(pricing)
  if (valueCents === undefined || insurance === undefined) return undefined
  const covers = freeCovers(insurance, product.terms.pricingBasis, facts.extremes.units)
  return insurancePremium(insurance, valueCents, covers, roundingStep(pricing))
}

/** The insured value in cents of the card's currency; undefined if the shipment is not insured. */
export function insuredValueOf({ facts, rate }: PricingCase): number | undefined {
  const { insuredValueCents } = facts.request
  if (insuredValueCents === undefined || rate === undefined) return insuredValueCents
  return valueInCurrency(insuredValueCents, rate)
}
