/**
 * Operation: duties and taxes as `estimateDuties`, for a caller that asks several things at once. Decided here:
 * descriptions go through one finder, which gathers the look-ups and answers equal descriptions once.
 * Source: specification 4.2; schema/duties.graphql.
 */
import type { HsCandidate } from '../core/customs/classification/classify.ts'
import {
  type Classification,
  classifyItems,
  type DutiesEstimate,
  estimateRequest,
} from '../core/customs/estimate.ts'
import { type ContentItem, checkDutiesRequest, type DutiesDraft } from '../core/customs/request.ts'
import type { InputProblem } from '../core/problem.ts'
import type { Ports } from './ports.ts'
import { today } from './today.ts'

/** Finds what descriptions may mean, likeliest first, for each in its place: all that are asked for at once. */
export type FindCodes = (descriptions: readonly string[]) => Promise<readonly (readonly HsCandidate[])[]>

/** An estimate with the day whose rules it was worked out by, 'YYYY-MM-DD' in UTC. */
export type DatedEstimate = DutiesEstimate & { readonly date: string }

/** Estimates a draft with the rules of its day, or today's; reads memory only, beside what `find` does. */
export async function estimateDutiesShared(
  { reference, clock }: Pick<Ports, 'reference' | 'clock'>,
  find: FindCodes,
  draft: DutiesDraft,
): Promise<DatedEstimate | InputProblem> {
  const request = checkDutiesRequest(draft)
  if ('kind' in request) return request
  const date = request.date ?? today(clock)
  const codes = await findItemCodes(request.items, find)
  return { ...estimateRequest(reference.customsTables(), request, codes, date), date }
}

/** The codes of items, in their order; undefined where a description says nothing. Given codes are not looked up. */
export async function findItemCodes(
  items: readonly ContentItem[],
  find: FindCodes,
): Promise<readonly (Classification | undefined)[]> {
  const descriptions = items.flatMap((item) => (item.tariff === undefined ? [item.description] : []))
  const found = descriptions.length === 0 ? [] : await find(descriptions)
  const candidates = new Map(descriptions.map((description, index) => [description, found[index] ?? []]))
  return classifyItems(items, (description) => candidates.get(description) ?? [])
}
