/**
 * Operation: the shipping options of a route with duties and taxes worked out for each. Decided here: rates are
 * quoted once, descriptions are looked up once, faults of rates and goods are told together, and others are let
 * through between two estimates (thirty prices of 99 items take some 40 ms).
 * Source: schema/landed-cost.graphql.
 */
import { checkDutiesRequest } from '../core/customs/request.ts'
import { type LandedOption, landOptions, requestsByPrice } from '../core/landed-cost/landed-cost.ts'
import { type FieldProblem, type InputProblem, inputProblem } from '../core/problem.ts'
import type { RatesInput } from '../core/rating/request.ts'
import type { SelectedQuote, SelectionInput } from '../core/rating/selection.ts'
import { type DatedEstimate, estimateWith, type FindCodes, findItemCodes } from './estimate-duties.ts'
import type { Caller } from './ports/caller.ts'
import type { Ports } from './ports/ports.ts'
import { openPricing, quoteWith } from './quote-rates.ts'

/** Rates to ask for and the goods that are sent, as a door received them; route, day and recipient are the rates'. */
export type LandedCostInput = {
  readonly rates: RatesInput
  readonly selection?: SelectionInput
  readonly contentItems: unknown
  readonly insurance?: unknown
  readonly preferences?: unknown
}

/** The options of a quote, each with its duties; what is not offered, and which cards priced it, are the quote's. */
export type LandedCost = Omit<SelectedQuote, 'kind' | 'options'> & {
  readonly kind: 'LandedCost'
  readonly options: readonly LandedOption<DatedEstimate>[]
}

/** What the door lends: how descriptions are looked up, and how others are let through between two steps. */
export type LandedCostTools = { readonly find: FindCodes; readonly pause: () => Promise<void> }

/** Quotes and estimates with one edition of the reference data on one day; reads memory only, beside `find`. */
export async function landedCost(
  ports: Pick<Ports, 'reference' | 'clock'>,
  caller: Pick<Caller, 'accountId'>,
  { find, pause }: LandedCostTools,
  draft: LandedCostInput,
): Promise<LandedCost | InputProblem> {
  const tables = ports.reference.customsTables()
  const pricing = openPricing(ports, caller)
  const quoted = quoteWith(pricing, draft.rates, draft.selection)
  const request = checkDutiesRequest(goodsInput(draft))
  if (quoted.kind === 'InputProblem' || 'kind' in request)
    return inputProblem([...faultsOfRates(quoted), ...('kind' in request ? faultsOfGoods(request) : [])])
  const date = request.date ?? pricing.date
  const codes = await findItemCodes(request.items, find)
  const estimate = estimateWith({ tables, date, codes, find })
  const estimates = new Map<number, DatedEstimate>()
  for (const [priceCents, landed] of requestsByPrice(quoted.options, request)) {
    await pause()
    estimates.set(priceCents, estimate(landed))
  }
  return { ...quoted, kind: 'LandedCost', options: landOptions(quoted.options, request, estimates) }
}

function goodsInput({ rates, contentItems, insurance, preferences }: LandedCostInput) {
  const { from, to, asOf, recipientType } = rates
  return { from, to, asOf, recipientType, contentItems, insurance, preferences }
}

function faultsOfRates(quoted: SelectedQuote | InputProblem): readonly FieldProblem[] {
  if (quoted.kind === 'RateQuote') return []
  return quoted.fields.map((field) => ({ ...field, path: ['rates', ...field.path] }))
}

/** What the rates say as well is at fault there already. */
const SAID_BY_RATES: ReadonlySet<unknown> = new Set(['from', 'to', 'asOf', 'recipientType'])

function faultsOfGoods({ fields }: InputProblem): readonly FieldProblem[] {
  return fields.filter(({ path }) => !SAID_BY_RATES.has(path[0]))
}
