/**
 * Operation: quotes shipping options, each with its duties and taxes. Rates are quoted once and descriptions classified
 * once. Other requests can run between two estimates, because estimates of 99 items for 30 prices take about 40 ms.
 * See schema/landed-cost.graphql.
 */
import { estimateRequest } from '../core/customs/estimate/estimate.ts'
import { checkDutiesRequest } from '../core/customs/request.ts'
import { type LandedOption, landOptions, requestsByFreight } from '../core/landed-cost/landed-cost.ts'
import type { DeliveryTerms } from '../core/landed-cost/payment.ts'
import { type FieldProblem, type InputProblem, inputProblem } from '../core/problem.ts'
import type { RatesInput } from '../core/rating/request.ts'
import type { SelectedQuote, SelectionInput } from '../core/rating/selection.ts'
import { serviceOf } from '../core/rating/service-inputs.ts'
import { type Restriction, restrictionsOn } from '../core/restrictions/restrictions.ts'
import { goodsText } from './cart.ts'
import {
  type CustomsCaller,
  type DatedEstimate,
  estimateWith,
  type FindCodes,
  findItemCodes,
} from './estimate-duties.ts'
import { Forbidden } from './ports/key-rules.ts'
import type { Ports } from './ports/ports.ts'
import { inTurns, type Turns } from './ports/work.ts'
import { openPricing, type PricedCaller, quoteWith } from './quote-rates.ts'

/** The goods have the route, day and recipient of `rates`. */
export type LandedCostInput = {
  readonly rates: RatesInput
  readonly selection?: SelectionInput
  readonly contentItems: unknown
  readonly insurance?: unknown
  readonly preferences?: unknown
  readonly importScheme?: unknown
  readonly countAverages?: unknown
  /** Default: DAP, or DDP with the service DUTIES_PAID. */
  readonly terms?: DeliveryTerms
}

/** A quote whose options have duties and taxes. */
export type LandedCost = Omit<SelectedQuote, 'kind' | 'options'> & {
  readonly kind: 'LandedCost'
  readonly options: readonly LandedOption<DatedEstimate>[]
  /** The day of the rules. */
  readonly date: string
  /** The rules on restricted goods that concern the items, whatever the option. */
  readonly restrictions: () => readonly Restriction[]
}

export type LandedCostTools = {
  /** Classifies descriptions. */
  readonly find: FindCodes
  readonly turns: Turns
  /** Called before each estimate. If it throws, no more estimates are calculated. */
  beforeEstimate(): void
}

/**
 * Uses one edition of the reference data and one day. Faults of rates and goods are reported together. Rejects with
 * Forbidden like `quoteRates`, and if the checkout token is for other goods.
 */
export async function landedCost(
  ports: Pick<Ports, 'reference' | 'clock'>,
  caller: PricedCaller & CustomsCaller,
  { find, turns, beforeEstimate }: LandedCostTools,
  input: LandedCostInput,
): Promise<LandedCost | InputProblem> {
  const pricing = openPricing(ports, caller)
  const { tables } = pricing
  const quoted = quoteWith(pricing, input.rates, input.selection)
  const request = checkDutiesRequest(goodsInput(input), caller)
  const terms = termsOf(input)
  if (quoted.kind === 'InputProblem' || 'kind' in request || terms === undefined)
    return inputProblem([
      ...faultsOfRates(quoted),
      ...('kind' in request ? faultsOfGoods(request) : []),
      ...(terms === undefined ? [PAID_DUTIES] : []),
    ])
  if (caller.page?.permission?.coversGoods(goodsText(request.items)) === false)
    throw new Forbidden('CHECKOUT_TOKEN_REJECTED', 'The checkout token is for other goods')
  const date = request.date ?? pricing.date
  const codes = await findItemCodes(request.items, find, caller.agreedCodes)
  const estimate = estimateWith({ tables, date, codes, find })
  const estimates = await inTurns(
    requestsByFreight(quoted.options, request),
    turns,
    ([freightCents, landed]) => {
      beforeEstimate()
      return [freightCents, estimate(landed)] as const
    },
  )
  return {
    ...quoted,
    kind: 'LandedCost',
    date,
    options: landOptions(quoted.options, request, new Map(estimates), terms),
    restrictions: () =>
      restrictionsOn(estimates[0]?.[1] ?? estimateRequest(tables, request, codes, date), request),
  }
}

/** Undefined if they contradict the service DUTIES_PAID: the recipient would pay what the sender has paid for. */
function termsOf({ rates: { services }, terms }: LandedCostInput): DeliveryTerms | undefined {
  const paid = Array.isArray(services) && services.some((entry) => serviceOf(entry) === 'DUTIES_PAID')
  if (!paid) return terms ?? 'DAP'
  return terms === 'DAP' ? undefined : 'DDP'
}

const PAID_DUTIES: FieldProblem = {
  path: ['terms'],
  code: 'CONFLICT',
  message: 'must be DDP with the service DUTIES_PAID',
}

function goodsInput({ rates, selection: _, terms: __, ...goods }: LandedCostInput) {
  const { from, to, asOf, recipientType } = rates
  return { from, to, asOf, recipientType, ...goods }
}

function faultsOfRates(quoted: SelectedQuote | InputProblem): readonly FieldProblem[] {
  if (quoted.kind === 'RateQuote') return []
  return quoted.fields.map((field) => ({ ...field, path: ['rates', ...field.path] }))
}

/** Fields that the goods share with the rates. Their faults are reported with the rates. */
const SHARED_WITH_RATES: ReadonlySet<unknown> = new Set(['from', 'to', 'asOf', 'recipientType'])

function faultsOfGoods({ fields }: InputProblem): readonly FieldProblem[] {
  return fields.filter(({ path }) => !SHARED_WITH_RATES.has(path[0]))
}
