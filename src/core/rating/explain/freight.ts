/**
 * Explains the freight: zone, weights, bands and rates. It reads the same price cells as price.ts.
 */

import { billedShipmentGrams, type ChargeableParcel } from '../book/chargeable-weight.ts'
import { sizeClassOf } from '../book/minimum-weight.ts'
import type { Bands } from '../book/price-table.ts'
import {
  bandOf,
  deficitPrice,
  isOfWholeCents,
  palletClassOf,
  priceInBand,
  startOfBand,
} from '../price/base-charge.ts'
import { freightByClass } from '../price/freight-class.ts'
import { type PricingCase, roundingStep } from '../price/price.ts'
import type { ListUnits, PricingBasis } from '../rate-card.ts'
import type { RatesRequest } from '../request.ts'
import {
  type AppliedRule,
  amountTexts,
  input,
  measuredInputs,
  type RuleInput,
  rowName,
  shipmentWeighingInputs,
  sizeText,
  timesText,
  weighingInputs,
  weightInputs,
} from './applied-rule.ts'
import { kilogramsText, tenthsText, weightText } from './figure-text.ts'

/** A calculation and its inputs. `isPlain`: it needs no brackets as part of a longer one. */
type Calculation = { readonly text: string; readonly isPlain: boolean; readonly inputs: readonly RuleInput[] }

const BASIS_TEXTS: Readonly<Record<PricingBasis, string>> = {
  shipment: 'one price on the chargeable weight of the shipment',
  parcel: 'each unit by its chargeable weight',
  'pallet-class': 'each pallet by its pallet class',
  'per-100kg': 'a rate per 100 kg on the chargeable weight of the shipment',
  'size-class': 'each parcel by its size class',
  'freight-class': 'a rate per 100 kg by freight class, in the band of the weight of the shipment',
}

export function explainFreight(pricing: PricingCase): Pick<AppliedRule, 'formula' | 'inputs'> {
  const { product } = pricing
  const { pricingBasis } = product.terms
  const { text, inputs } = calculationOf(pricing)
  const [productInput, ...otherInputs] = routeInputs(pricing)
  return {
    formula: text,
    inputs: [
      productInput,
      input('pricing basis', basisText(product.terms)),
      ...otherInputs,
      ...(pricingBasis === 'pallet-class' || pricingBasis === 'size-class'
        ? []
        : [
            ...weighingInputs(product.weighing),
            ...shipmentWeighingInputs(product.terms, pricing.chargeable),
          ]),
      ...inputs,
    ],
  }
}

function basisText({ pricingBasis, units }: PricingCase['product']['terms']): string {
  const text = BASIS_TEXTS[pricingBasis]
  return units === undefined ? text : text.replace('100 kg', weightText(100_000, units))
}

/** The product, the day and the route. */
export function routeInputs({
  product,
  facts,
  shared,
  zoneNumber,
}: PricingCase): readonly [RuleInput, ...RuleInput[]] {
  const { request, date } = facts
  return [
    input('product', `${product.name.productId} ${product.name.productName}`),
    input('pricing day', date),
    input('from', endText(request.from)),
    input('to', endText(request.to)),
    input('lane', laneText({ facts, shared })),
    input('zone', zoneNumber),
  ]
}

/** Within a country the lane from '=' to '=' applies, unless the groups of both ends have their own lane. */
function laneText({ facts, shared }: Pick<PricingCase, 'facts' | 'shared'>): string {
  const { from, to } = facts.request
  const { laneName } = shared.route
  return from.country === to.country ? `within one country (${laneName})` : laneName
}

function calculationOf(pricing: PricingCase): Calculation {
  const { product, chargeable, facts } = pricing
  switch (product.terms.pricingBasis) {
    case 'shipment': {
      const grams = billedShipmentGrams(product.terms, chargeable)
      const billed = weightText(grams, product.terms.units)
      return withWeights(pricing, inBand(pricing, grams), [input('weight billed', billed)])
    }
    case 'per-100kg':
      return ratePer100Kg(pricing)
    case 'parcel':
      return sumOf(chargeable.map((row) => unitsInBand(pricing, row)))
    case 'pallet-class':
      return sumOf(facts.request.parcels.map((_, row) => palletsOfRow(pricing, row)))
    case 'size-class':
      return sumOf(facts.request.parcels.map((_, row) => sizesOfRow(pricing, row)))
    case 'freight-class':
      return ratesByClass(pricing)
  }
}

/** Adds the weights of all rows to a calculation on the weight of the shipment. */
function withWeights(
  pricing: PricingCase,
  calculation: Calculation,
  billed: readonly RuleInput[],
): Calculation {
  const rows = pricing.chargeable.flatMap((row) => rowInputs(pricing, row))
  return { ...calculation, inputs: [...rows, ...billed, ...calculation.inputs] }
}

/** The measures and weights of a parcel row. */
export function rowInputs(pricing: PricingCase, row: ChargeableParcel): RuleInput[] {
  return [...measuredInputs(pricing, row), ...weightInputs([row], pricing.product.terms.units)]
}

function ratePer100Kg(pricing: PricingCase): Calculation {
  const { product, zone, zoneNumber, chargeable } = pricing
  const { bands, cells, at } = zone
  const { money } = amountTexts(pricing)
  const step = roundingStep(pricing)
  const { units } = product.terms
  const weight = (thousandths: number): string => weightText(thousandths, units)
  const grams = billedShipmentGrams(product.terms, chargeable)
  const band = bandOf(bands, grams)!
  const atBandRate = inBand(pricing, grams)
  const deficit = product.terms.deficitWeight === 'no' ? undefined : deficitPrice(zone, band, step)
  if (deficit === undefined || deficit >= priceInBand(zone, band, grams, step))
    return withWeights(pricing, atBandRate, [input('weight billed', weight(grams))])
  const [billedGrams, rateCents] = [bands.upToGrams[band]!, cells[at + band + 1]!]
  const [billed, next] = [weight(billedGrams), bandText(bands, band + 1, units)]
  const text =
    `${per100KgText(pricing, rateCents, billedGrams, `${next} in zone ${zoneNumber}`)}: billed as ${billed} at the rate of the ` +
    `next band, which is cheaper than ${weight(grams)} at ${money(cells[at + band]!)} per ${weight(100_000)}`
  const inputs = [
    ...atBandRate.inputs,
    input('next band', next),
    input(`next rate per ${weight(100_000)}`, money(rateCents)),
  ]
  return withWeights(pricing, { text, isPlain: false, inputs }, [
    input('chargeable weight', weight(grams)),
    input('weight billed', billed),
  ])
}

function ratesByClass(pricing: PricingCase): Calculation {
  const { product, zone, zoneNumber } = pricing
  const found = freightByClass(pricing)
  if ('code' in found) throw new Error('a freight that was calculated has no classes')
  const { classes, grams, band, ownBand, rates, deficit, cents } = found
  const { units } = product.terms
  const { money } = amountTexts(pricing)
  const weight = (thousandths: number): string => weightText(thousandths, units)
  const rateText = (rateCents: number): string => `${money(rateCents)} per ${weight(100_000)}`
  const parts = rates.map((rate, row) => {
    return `${rateText(rate.rateCents)} for class ${classes[row]!.name} × ${weight(rate.grams)}`
  })
  if (deficit !== undefined)
    parts.push(`${rateText(deficit.rateCents)} × ${weight(deficit.grams)} of deficit weight`)
  const where = `${bandText(zone.bands, band, units)} in zone ${zoneNumber}`
  const text = `(${parts.join(' + ')}) = ${money(cents)} (${where})`
  const ownBandInput = input('band', bandText(zone.bands, ownBand, units))
  return withWeights(
    pricing,
    {
      text,
      isPlain: false,
      inputs: [
        ownBandInput,
        ...(band === ownBand ? [] : [input('next band', bandText(zone.bands, band, units))]),
        ...classes.flatMap(({ name, fitting }, row) => [
          input(rowName(row, 'freight class'), name),
          ...(fitting === undefined ? [] : [input(rowName(row, 'class condition'), fitting.row.condition)]),
          input(rowName(row, `rate per ${weight(100_000)}`), money(rates[row]!.rateCents)),
        ]),
      ],
    },
    deficit === undefined
      ? [input('weight billed', weight(grams))]
      : [input('chargeable weight', weight(grams)), input('weight billed', weight(grams + deficit.grams))],
  )
}

/** The price of a row whose units are priced one by one. */
function unitsInBand(pricing: PricingCase, row: ChargeableParcel): Calculation {
  const { parcelIndex, count, chargeableGrams } = row
  const { text, isPlain, inputs } = inBand(pricing, chargeableGrams, (name) => rowName(parcelIndex, name))
  return {
    text: count === 1 || isPlain ? `${timesText(count)}${text}` : `${count} × (${text})`,
    isPlain: isPlain || count > 1,
    inputs: [...rowInputs(pricing, row), ...inputs],
  }
}

/** The price of a weight in its band. `nameOf` adds a prefix to the names of the inputs. */
function inBand(pricing: PricingCase, grams: number, nameOf = (name: string): string => name): Calculation {
  const { zone, zoneNumber, product } = pricing
  const { bands, cells, stepCells, at } = zone
  const { units } = product.terms
  const { money, currency, rounding } = amountTexts(pricing)
  const band = bandOf(bands, grams)!
  const [name, cents] = [bandText(bands, band, units), cells[at + band]!]
  const [where, price] = [`${name} in zone ${zoneNumber}`, money(cents)]
  if (bands.isPer100Kg[band] === 1)
    return {
      text: per100KgText(pricing, cents, grams, where),
      isPlain: false,
      inputs: [input(nameOf('band'), name), input(nameOf(`rate per ${weightText(100_000, units)}`), price)],
    }
  const plain = `${price} for ${where}`
  const inputs = [input(nameOf('band'), name), input(nameOf('band price'), price)]
  const stepGrams = bands.stepGrams?.[band] ?? 0
  if (stepGrams === 0) return { text: plain, isPlain: true, inputs }
  const steps = Math.ceil((grams - startOfBand(bands, band)) / stepGrams)
  const tenths = stepCells![at + band]!
  const [step, stepPrice] = [weightText(stepGrams, units), tenthsText(tenths, currency)]
  const rounded = rounding(1, 10 * cents + steps * tenths, 10)
  return {
    text: `${plain} + ${steps} started ${steps === 1 ? 'step' : 'steps'} of ${step} × ${stepPrice}${isOfWholeCents(tenths) ? '' : rounded}`,
    isPlain: false,
    inputs: [
      ...inputs,
      input(nameOf('step'), step),
      input(nameOf('started steps'), steps),
      input(nameOf('step price'), stepPrice),
    ],
  }
}

function per100KgText(pricing: PricingCase, rateCents: number, grams: number, where: string): string {
  const { money, rounding } = amountTexts(pricing)
  const [hundred, weight] = [100_000, grams].map((figure) => weightText(figure, pricing.product.terms.units))
  return `${money(rateCents)} per ${hundred} (${where}) × ${weight}${rounding(rateCents, grams, 100_000)}`
}

function palletsOfRow(pricing: PricingCase, row: number): Calculation {
  const { shared, zone, zoneNumber, facts } = pricing
  const pallet = facts.request.parcels[row]!
  const fitting = palletClassOf(shared.group.carrier.palletClasses, pallet)!
  const { palletClass, spaces, longSideCm, shortSideCm, maxHeightCm, maxGrams } = fitting
  const price = amountTexts(pricing).money(zone.palletCents.get(palletClass)!)
  const spacesText = spaces === 1 ? '' : `${spaces} spaces × `
  const limits = `${longSideCm} × ${shortSideCm} × ${maxHeightCm} cm, ${kilogramsText(maxGrams)}`
  const named = (name: string, value: string | number): RuleInput => input(rowName(row, name), value)
  return {
    text: `${timesText(pallet.count)}${spacesText}${price} for pallet class ${palletClass} in zone ${zoneNumber}`,
    isPlain: true,
    inputs: [
      named('units', pallet.count),
      named('actual weight', kilogramsText(pallet.weightGrams)),
      named('size', sizeText(pallet)),
      named('pallet class', palletClass),
      named('class limits', limits),
      named('spaces', spaces),
      named('class price', price),
    ],
  }
}

function sizesOfRow(pricing: PricingCase, row: number): Calculation {
  const { product, shared, zone, zoneNumber, facts } = pricing
  const parcel = facts.request.parcels[row]!
  const { shipment } = shared.route.surchargeFacts
  const { sizeClass, condition } = sizeClassOf(product.sizeClasses, parcel, shipment)!.row
  const price = amountTexts(pricing).money(zone.palletCents.get(sizeClass)!)
  const named = (name: string, value: string | number): RuleInput => input(rowName(row, name), value)
  return {
    text: `${timesText(parcel.count)}${price} for size class ${sizeClass} in zone ${zoneNumber}`,
    isPlain: true,
    inputs: [
      named('units', parcel.count),
      named('actual weight', kilogramsText(parcel.weightGrams)),
      named('size', sizeText(parcel)),
      named('size class', sizeClass),
      named('class condition', condition),
      named('class price', price),
    ],
  }
}

function sumOf(rows: readonly Calculation[]): Calculation {
  const [only, second] = rows
  if (only !== undefined && second === undefined) return only
  return {
    text: rows.map(({ text, isPlain }) => (isPlain ? text : `(${text})`)).join(' + '),
    isPlain: false,
    inputs: rows.flatMap(({ inputs }) => inputs),
  }
}

/** "over 2 kg up to 5 kg", or "up to 2 kg" for the first band. */
function bandText(bands: Bands, band: number, units: ListUnits | undefined): string {
  const upTo = `up to ${weightText(bands.upToGrams[band]!, units)}`
  return band === 0 ? upTo : `over ${weightText(startOfBand(bands, band), units)} ${upTo}`
}

function endText({ country, zipcode, city }: RatesRequest['from']): string {
  return [country, zipcode, city].filter((part) => part !== undefined && part !== '').join(' ')
}
