/**
 * Operation: duties and taxes for goods on a route. Decided here: descriptions go through one finder, which a door that
 * asks several things at once lends, so that equal descriptions are answered once. Source: specification 4.2;
 * schema/duties.graphql.
 */
import {
  type HsCandidate,
  type SecondOpinion,
  secondOpinion,
} from '../core/customs/classification/classify.ts'
import {
  type Classification,
  classifyItems,
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../core/customs/estimate/estimate.ts'
import {
  type ContentItem,
  checkDutiesRequest,
  type DutiesInput,
  type DutiesRequest,
} from '../core/customs/request.ts'
import type { CustomsTables } from '../core/customs/tables.ts'
import { interpretCode } from '../core/customs/tariff/hs-code.ts'
import type { InputProblem } from '../core/problem.ts'
import type { Classifier } from './ports/engine.ts'
import type { Ports } from './ports/ports.ts'
import { today } from './ports/ports.ts'
import type { Turns } from './ports/work.ts'

/** Finds what descriptions may mean, likeliest first, for each in its place: all that are asked for at once. */
export type FindCodes = (descriptions: readonly string[]) => Promise<readonly (readonly HsCandidate[])[]>

/** How many codes are looked for: the choice and five beside it. */
export const CODES_PER_ITEM = 6

/** An estimate with the day whose rules it was worked out by, 'YYYY-MM-DD' in UTC. */
export type DatedEstimate = DutiesEstimate & {
  readonly date: string
  /** The same request, were the code of one item another one. */
  readonly ifCode: (index: number, code: string) => DutiesEstimate
  /** What the description of an item says against the code it was given; undefined where nothing does. */
  readonly secondOpinion: (index: number) => Promise<SecondOpinion | undefined>
}

/** Estimates a draft with the rules of its day, or today's; reads memory only, beside what `find` does. */
export async function estimateDuties(
  { reference, classifier, clock }: Pick<Ports, 'reference' | 'classifier' | 'clock'>,
  input: DutiesInput,
  find: FindCodes = findWith(classifier),
): Promise<DatedEstimate | InputProblem> {
  const request = checkDutiesRequest(input)
  if ('kind' in request) return request
  const codes = await findItemCodes(request.items, find)
  return estimateWith({
    tables: reference.customsTables(),
    date: request.date ?? today(clock),
    codes,
    find,
  })(request)
}

/** What estimates of the same goods share: the tables and their day, the codes, and how they were found. */
export type EstimateBasis = {
  readonly tables: CustomsTables
  readonly date: string
  readonly codes: readonly (Classification | undefined)[]
  readonly find: FindCodes
}

/** Estimates a request; what only some ask for is worked out when it is asked for. */
export function estimateWith(basis: EstimateBasis): (request: DutiesRequest) => DatedEstimate {
  const { tables, date, codes } = basis
  return (request) => ({
    ...estimateRequest(tables, request, codes, date),
    date,
    ifCode: (index, code) => estimateRequest(tables, request, codes.with(index, givenCode(code)), date),
    secondOpinion: (index) => opinionOn(basis, request.items[index]),
  })
}

async function opinionOn(
  { tables, find }: EstimateBasis,
  item: ContentItem | undefined,
): Promise<SecondOpinion | undefined> {
  if (item?.tariff === undefined) return undefined
  const [candidates = []] = await find([item.description])
  const { tariffs, hsSuccessors } = tables
  const { code } = interpretCode({ tariff: undefined, tariffs, hsSuccessors }, item.tariff)
  const successors = hsSuccessors.get(item.tariff.slice(0, 6)) ?? []
  return secondOpinion(item.tariff, [code, ...successors.map((row) => row.code)], candidates)
}

/** Asks the classifier directly, in the turns of a request (default: one turn without end). */
export function findWith(classifier: Classifier, turns?: Turns): FindCodes {
  return (descriptions) => classifier.classify(descriptions, CODES_PER_ITEM, turns)
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
