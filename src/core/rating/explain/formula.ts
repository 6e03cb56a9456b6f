/** Explains the expressions of a surcharge: the formula and the condition, with the figures of their measures. */
import type { Compiled } from '../../expressions/expression.ts'
import { measureText } from '../../expressions/figures.ts'
import { printExpression } from '../../expressions/printer.ts'
import { namesIn } from '../../expressions/syntax.ts'
import type { RuleFacts } from '../book/rule-measures.ts'
import { isUnitMeasure } from '../book/rule-vocabulary.ts'
import { type CountedFacts, formulaNumerator } from '../price/formula.ts'
import { formulaCases, type PricingCase } from '../price/price.ts'
import type { ApplicableSurcharge } from '../price/price-line.ts'
import { hasSlots } from '../service-inputs.ts'
import { type AppliedRule, amountTexts, input, type RuleInput, rowName, timesText } from './applied-rule.ts'
import { moneyText } from './figure-text.ts'

/** `freightCents` include the change of the contract. */
export function explainFormula(
  pricing: PricingCase,
  { surcharge, rows }: ApplicableSurcharge,
  freightCents: number,
): Pick<AppliedRule, 'formula' | 'inputs'> {
  const amount = surcharge.formula!
  const texts = amountTexts(pricing)
  const cases = formulaCases(pricing, surcharge, rows, freightCents)
  const perUnit = surcharge.per === 'unit'
  const terms = cases.map((counted) => termText(amount, counted, cases.length > 1))
  const isNegative = cases.some(({ facts }) => amount.numerator.read(facts) < 0)
  const least = isNegative ? `, at least ${texts.money(0)}${perUnit ? ' each' : ''}` : ''
  const rounding = texts.rounding(100, formulaNumerator(amount, cases), amount.denominator)
  return {
    formula: terms.join(' + ') + rounding + least,
    inputs: [
      input('formula', amount.text),
      ...(perUnit ? cases.map(({ count }, at) => input(rowName(rows[at]!, 'units'), count)) : []),
      ...figureInputs(amount, cases, perUnit ? rows : [0]),
    ],
  }
}

function termText(amount: Compiled<RuleFacts>, { facts, count }: CountedFacts, isOneOfMany: boolean): string {
  const text = printExpression(amount.syntax, (name, index) => {
    const measure = amount.measureOf(name, index)
    return measure && measureText(measure, facts)
  })
  return isOneOfMany || count > 1 ? `${timesText(count)}(${text})` : text
}

/** The condition and its figures; none if the surcharge has no condition. */
export function conditionInputs(pricing: PricingCase, { surcharge, rows }: ApplicableSurcharge): RuleInput[] {
  const { condition } = surcharge
  if (condition === undefined) return []
  const { shipment, parcels } = pricing.shared.route.surchargeFacts
  const cases = rows.map((row) => ({
    facts: { shipment, unit: parcels[row]!, billedGrams: 0, freightCents: 0 },
  }))
  return [input('condition', condition.text), ...figureInputs(condition, cases, rows)]
}

/** What the sender states about a service, and the exchange rates of the amount to collect. */
export function serviceInputs(pricing: PricingCase, { surcharge }: ApplicableSurcharge): RuleInput[] {
  const { slots, collected, goods } = pricing.shared.route.surchargeFacts.shipment.inputs
  const { service } = surcharge
  const slot = service !== undefined && hasSlots(service) ? slots[service] : undefined
  if (slot !== undefined) return [input('slot', slot)]
  if (service === 'DANGEROUS_GOODS')
    return [input('dangerous goods', goods.map(({ unNumber }) => unNumber).join(', '))]
  if (service !== 'CASH_ON_DELIVERY' || collected === undefined) return []
  const { stated, rates } = collected
  return [
    input('amount to collect', moneyText(stated.hundredths, stated.currency)),
    ...rates.flatMap(({ currency, unitsPerEuro, validFrom }) => [
      input(`rate of ${currency}`, `${unitsPerEuro} ${currency} per EUR`),
      input(`rate of ${currency} of`, validFrom),
    ]),
  ]
}

/** The measures of an expression: once for those of the shipment, for each row for those of a unit. */
function figureInputs(
  { syntax, measureOf }: Compiled<RuleFacts>,
  cases: readonly Pick<CountedFacts, 'facts'>[],
  rows: readonly number[],
): RuleInput[] {
  return [...namesIn(syntax)].flatMap((name) => {
    const elements = name === 'sides' ? ([1, 2, 3] as const) : [undefined]
    return elements.flatMap((index) => {
      const measure = measureOf(name, index)
      if (measure === undefined) return []
      const label = index === undefined ? name : `${name}[${index}]`
      if (!isUnitMeasure(name)) return [input(label, measureText(measure, cases[0]!.facts))]
      return cases.map(({ facts }, at) => input(rowName(rows[at]!, label), measureText(measure, facts)))
    })
  })
}
