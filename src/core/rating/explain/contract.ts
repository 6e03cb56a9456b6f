/** Explains the lines of a contract: changes of the freight and of surcharges, and the minimum net charge. */
import { mulDivToStep } from '../../money.ts'
import { type AgreedMinimum, type AgreedPercentage, type ContractRow, scopeText } from '../contract.ts'
import { type PricingCase, roundingStep } from '../price/price.ts'
import type { PriceLine } from '../price/price-line.ts'
import { cellText } from '../price-cell.ts'
import { amountTexts, contractText, input, type RuleInput, type RuleText } from './applied-rule.ts'
import { euroText, kilogramsText, percentText } from './figure-text.ts'

type ContractLine = Extract<
  PriceLine['cause'],
  { readonly kind: 'contract' | 'minimum' | 'surcharge-discount' }
>

export function explainContract(pricing: PricingCase, cause: ContractLine): RuleText {
  switch (cause.kind) {
    case 'contract':
      return explainChange(pricing, cause, 'freight', 'freight')
    case 'minimum':
      return explainMinimum(pricing, cause.minimum, cause.netCents)
    case 'surcharge-discount':
      return explainChange(pricing, cause, 'surcharge', cause.surcharge.name)
  }
}

function explainChange(
  pricing: PricingCase,
  { change, baseCents }: Pick<Extract<ContractLine, { kind: 'contract' }>, 'change' | 'baseCents'>,
  base: 'freight' | 'surcharge',
  baseName: string,
): RuleText {
  const { bps, row } = change
  const { money, rounding } = amountTexts(pricing)
  const [percent, amount] = [percentText(bps), money(baseCents)]
  const isCapped = mulDivToStep(baseCents, bps, 10_000, roundingStep(pricing)) < -baseCents
  const limit = base === 'freight' ? ', at most the freight' : ', at most the surcharge'
  const part = baseName + cellSuffix(change)
  return {
    id: idOf(row) + discountSuffix(change),
    formula: `${percent} of ${amount} (${part})${rounding(baseCents, bps, 10_000)}${isCapped ? limit : ''}`,
    inputs: [
      input('contract', contractText(row)),
      ...discountInputs(change),
      input(base, amount),
      input('change', percent),
    ],
    validFrom: row.validFrom,
  }
}

/** Several discounts of a contract can apply to the units of a shipment. */
function discountSuffix(change: AgreedPercentage): string {
  return change.discount === undefined ? '' : `/${change.discount.appliesTo}${cellSuffix(change)}`
}

function discountInputs({ discount }: AgreedPercentage): RuleInput[] {
  if (discount === undefined) return []
  const { appliesTo, turnoverCents } = discount
  return [
    input('applies to', appliesTo),
    input('zones and weights', cellText(discount, kilogramsText) || 'all'),
    ...(turnoverCents === 0 ? [] : [input('turnover from', euroText(turnoverCents))]),
  ]
}

/** " (zone 3 over 5 kg up to 10 kg)"; '' if a percentage applies to all zones and weights. */
export function cellSuffix({ discount }: AgreedPercentage): string {
  const text = discount === undefined ? '' : cellText(discount, kilogramsText)
  return text === '' ? '' : ` ${text}`
}

function explainMinimum(pricing: PricingCase, { cents, row }: AgreedMinimum, netCents: number): RuleText {
  const { money } = amountTexts(pricing)
  const [least, net] = [money(cents), money(netCents)]
  return {
    id: `${idOf(row)}/minimum`,
    formula: `${least} (minimum net charge) - ${net} (freight with its changes)`,
    inputs: [
      input('contract', contractText(row)),
      input('net freight', net),
      input('minimum net charge', least),
    ],
    validFrom: row.validFrom,
  }
}

function idOf(row: ContractRow): string {
  return `contract/${row.accountId}/${scopeText(row)}/${row.validFrom}`
}
