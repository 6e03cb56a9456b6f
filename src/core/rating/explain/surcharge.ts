/**
 * Explains a surcharge: the units or weight that it is charged for, the base of a percentage, and the minimum.
 */

import { type PricingCase, perUnitThousandths, shipmentGrams } from '../price/price.ts'
import type { ApplicableSurcharge, PriceLine } from '../price/price-line.ts'
import {
  type AppliedRule,
  contractText,
  input,
  minimumText,
  type RuleInput,
  roundingText,
  rowName,
  timesText,
  unitsText,
  unitWord,
  weightInputs,
} from './applied-rule.ts'
import { euroText, kilogramsText, percentText } from './figure-text.ts'

type Explained = Pick<AppliedRule, 'formula' | 'inputs'>

/** `before` are the lines of the price that precede the surcharge. */
export function explainSurcharge(
  pricing: PricingCase,
  charge: ApplicableSurcharge,
  before: readonly PriceLine[],
): Explained {
  const { formula, inputs } = calculationOf(pricing, charge, before)
  const { trigger } = charge.surcharge
  return {
    formula,
    inputs: [input('trigger', trigger), input('method', methodText(pricing, charge)), ...inputs],
  }
}

function calculationOf(
  pricing: PricingCase,
  charge: ApplicableSurcharge,
  before: readonly PriceLine[],
): Explained {
  switch (charge.surcharge.method) {
    case 'flat':
      return flat(pricing, charge)
    case 'per_kg':
      return perKilogram(pricing, charge)
    case 'pct':
      return percentage(charge, before)
    case 'fuel':
      return fuel(pricing, charge, before)
  }
}

function methodText({ facts: { request } }: PricingCase, { surcharge }: ApplicableSurcharge): string {
  const { method, phase, per, minimumCents } = surcharge
  const word = unitWord(request.parcelType)
  const base = phase === 'accessorial' ? 'the freight' : 'freight and fuelable accessorials'
  const minimum = minimumText(minimumCents)
  switch (method) {
    case 'flat':
      return per === 'unit' ? `flat, for each ${word} that triggers it` : 'flat, once for the shipment'
    case 'per_kg': {
      if (per === 'shipment') return `per kilogram of the shipment${minimum}`
      return `per kilogram of each ${word} that triggers it${minimum}${minimum === '' ? '' : ` for each ${word}`}`
    }
    case 'pct':
      return `percent of ${base}${minimum}`
    case 'fuel':
      return `fuel percentage of ${base}${minimum}`
  }
}

function flat(
  { facts: { request } }: PricingCase,
  { surcharge, rows, times }: ApplicableSurcharge,
): Explained {
  const amount = euroText(surcharge.amount)
  if (surcharge.per === 'shipment')
    return { formula: `${amount} for the shipment`, inputs: [input('amount', amount)] }
  return {
    formula: `${unitsText(times, request.parcelType)} × ${amount}`,
    inputs: [
      ...rows.map((row) => input(rowName(row, 'units'), request.parcels[row]!.count)),
      input('units', times),
      input('amount', amount),
    ],
  }
}

function perKilogram({ chargeable }: PricingCase, charge: ApplicableSurcharge): Explained {
  const { surcharge, times } = charge
  const { amount, minimumCents, per } = surcharge
  const rows = charge.rows.map((row) => chargeable[row]!)
  const grams = shipmentGrams(rows)
  const [rate, weight] = [euroText(amount), kilogramsText(grams)]
  const minimum = minimumText(minimumCents)
  const isPerUnit = per === 'unit' && minimumCents > 0
  const perRow = rows.map(
    (row) => `${timesText(row.count)}(${rate} × ${kilogramsText(row.chargeableGrams)}${minimum})`,
  )
  return {
    formula: isPerUnit
      ? perRow.join(' + ') + roundingText(1, perUnitThousandths(surcharge, rows), 1000)
      : `${rate} × ${weight}${roundingText(amount, grams, 1000)}${minimum}`,
    inputs: [
      ...weightInputs(rows),
      input('weight billed', weight),
      input('rate per kg', rate),
      ...(isPerUnit ? [input('units', times)] : []),
      ...minimumInputs(minimumCents),
    ],
  }
}

function percentage({ surcharge }: ApplicableSurcharge, before: readonly PriceLine[]): Explained {
  const { amount, minimumCents } = surcharge
  const base = baseOf(surcharge, before)
  const rate = percentText(amount)
  return {
    formula: `${rate} of ${base.text}${roundingText(base.cents, amount, 10_000)}${minimumText(minimumCents)}`,
    inputs: [...base.inputs, input('rate', rate), ...minimumInputs(minimumCents)],
  }
}

function fuel(
  { contract }: PricingCase,
  { surcharge, rateBps, fuelSince }: ApplicableSurcharge,
  before: readonly PriceLine[],
): Explained {
  const base = baseOf(surcharge, before)
  const since = fuelSince === undefined ? [] : [input('rate since', fuelSince)]
  if (rateBps === undefined)
    return {
      formula: '0.00 EUR: no fuel rate is set for this day',
      inputs: [...base.inputs, input('rate', 'none')],
    }
  const rate = percentText(rateBps)
  const agreed = contract?.fuel
  if (agreed === undefined)
    return {
      formula: `${rate} of ${base.text}${roundingText(base.cents, rateBps, 10_000)}${minimumText(surcharge.minimumCents)}`,
      inputs: [...base.inputs, input('rate', rate), ...since, ...minimumInputs(surcharge.minimumCents)],
    }
  // The product of two rates in basis points is a percentage with six decimals.
  const changed = rateBps * (10_000 + agreed.bps)
  const change = percentText(agreed.bps)
  return {
    formula:
      `${percentText(changed, 6)} (${rate}, changed by ${change} by contract) of ${base.text}` +
      roundingText(base.cents, changed, 100_000_000) +
      minimumText(surcharge.minimumCents),
    inputs: [
      ...base.inputs,
      input('rate', rate),
      ...since,
      ...minimumInputs(surcharge.minimumCents),
      input('contract change', change),
      input('contract', contractText(agreed.row)),
    ],
  }
}

function minimumInputs(minimumCents: number): RuleInput[] {
  return minimumCents === 0 ? [] : [input('minimum', euroText(minimumCents))]
}

/** The base of a percentage: the sum of some of the preceding lines. */
type Base = { readonly cents: number; readonly text: string; readonly inputs: readonly RuleInput[] }

function baseOf({ phase }: ApplicableSurcharge['surcharge'], before: readonly PriceLine[]): Base {
  const counted = before.filter(
    ({ cause }) =>
      cause.kind === 'freight' ||
      cause.kind === 'contract' ||
      (cause.kind === 'surcharge' &&
        phase !== 'accessorial' &&
        cause.surcharge.phase === 'accessorial' &&
        cause.surcharge.fuelable),
  )
  let cents = 0
  for (const { amountCents } of counted) cents += amountCents
  const text = euroText(cents)
  return {
    cents,
    text: `${text} (${listText(counted.map(nameOf))})`,
    inputs: [
      ...counted.map((line) => input(`base: ${inputName(line)}`, euroText(line.amountCents))),
      input('base', text),
    ],
  }
}

/** A surcharge has its name from the card. All other lines have fixed names, which are written in lower case here. */
function nameOf({ cause, item }: PriceLine): string {
  return cause.kind === 'surcharge' ? item : item.toLowerCase()
}

/** Two surcharges of a card can have the same name, so the code is added. */
function inputName(line: PriceLine): string {
  return line.cause.kind === 'surcharge' ? `${line.item} (${line.cause.surcharge.code})` : nameOf(line)
}

function listText(names: readonly string[]): string {
  if (names.length < 2) return names.join()
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
