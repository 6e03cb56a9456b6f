/**
 * Operation: estimates duties and taxes for goods on a route. The door can pass the function that classifies goods. The
 * GraphQL door passes one that classifies equal goods of a request only once. See docs/customs-data.md.
 */
import { type SecondOpinion, secondOpinion } from '../core/classification/classify.ts'
import type { CompiledCustoms } from '../core/customs/compiled-customs.ts'
import {
  type Classification,
  classifyItems,
  type DutiesEstimate,
  estimateRequest,
  givenCode,
  otherSchemeOf,
} from '../core/customs/estimate/estimate.ts'
import { type EstimateRange, estimateRange } from '../core/customs/estimate/explain/estimate-range.ts'
import {
  type ContentItem,
  checkDutiesRequest,
  type DutiesInput,
  type DutiesRequest,
  type GivenScheme,
} from '../core/customs/request.ts'
import { interpretCode } from '../core/customs/tariff/hs-code.ts'
import { type DescribedGoods, hasFacts } from '../core/goods-facts.ts'
import type { HsCandidate } from '../core/hs-candidate.ts'
import type { InputProblem } from '../core/problem.ts'
import { type Restriction, restrictionsOn } from '../core/restrictions/restrictions.ts'
import type { Caller, CodesBySku } from './ports/caller.ts'
import { observed } from './ports/observer.ts'
import type { Classifier, Ports } from './ports/ports.ts'
import { today } from './ports/ports.ts'
import { type Turns, UNLIMITED_TURNS } from './ports/work.ts'

/** Returns the candidates for goods, in their order; best candidate first. */
export type FindCodes = (goods: readonly DescribedGoods[]) => Promise<readonly (readonly HsCandidate[])[]>

/** Candidates per item: the code that is used, and five alternatives. */
export const CODES_PER_ITEM = 6

/** An estimate by the rules of `date`, 'YYYY-MM-DD' in UTC. */
export type DatedEstimate = DutiesEstimate & {
  readonly date: string
  /** As given. */
  readonly contentItems: readonly ContentItem[]
  /** The estimate of the same request with another code for one item. */
  readonly ifCode: (index: number, code: string) => DutiesEstimate
  /** The lowest and the highest total that fit the request. */
  readonly range: () => EstimateRange
  /** The estimate under the other import scheme. Undefined if the result does not depend on the scheme. */
  readonly underOtherScheme: () => OtherSchemeEstimate | undefined
  /** The rules on restricted goods that concern the items. */
  readonly restrictions: () => readonly Restriction[]
  /** A warning if the description of an item contradicts its given code, otherwise undefined. */
  readonly secondOpinion: (index: number) => Promise<SecondOpinion | undefined>
}

export type OtherSchemeEstimate = { readonly importScheme: GivenScheme; readonly estimate: DutiesEstimate }

/** What estimates depend on besides the request. */
export type CustomsCaller = Pick<Caller, 'countAverages' | 'registrations' | 'agreedCodes'>

/**
 * Estimates with the rules of the requested day (default: today). Reads memory only, apart from `find`. Not a promise
 * if every item has a code, as in most requests.
 */
export function estimateDuties(
  ports: Pick<Ports, 'reference' | 'classifier' | 'clock' | 'observer'>,
  caller: CustomsCaller,
  input: DutiesInput,
  find: FindCodes = findWith(ports.classifier),
): DatedEstimate | InputProblem | Promise<DatedEstimate | InputProblem> {
  return observed<DatedEstimate | InputProblem>(ports, 'dutiesEstimate', () =>
    estimateUnobserved(ports, caller, input, find),
  )
}

function estimateUnobserved(
  { reference, clock }: Pick<Ports, 'reference' | 'clock'>,
  caller: CustomsCaller,
  input: DutiesInput,
  find: FindCodes,
): DatedEstimate | InputProblem | Promise<DatedEstimate | InputProblem> {
  const request = checkDutiesRequest(input, caller)
  if ('kind' in request) return request
  const estimate = (codes: EstimateBasis['codes']): DatedEstimate =>
    estimateWith({
      tables: reference.customsTables(),
      date: request.date ?? today(clock),
      codes,
      find,
    })(request)
  const codes = findItemCodes(request.items, find, caller.agreedCodes)
  return codes instanceof Promise ? codes.then(estimate) : estimate(codes)
}

/** The inputs that several estimates of the same goods share. */
export type EstimateBasis = {
  readonly tables: CompiledCustoms
  readonly date: string
  readonly codes: readonly (Classification | undefined)[]
  readonly find: FindCodes
}

/** Returns a function that estimates requests. `ifCode` and `secondOpinion` are calculated when they are called. */
export function estimateWith(basis: EstimateBasis): (request: DutiesRequest) => DatedEstimate {
  const { tables, date, codes } = basis
  return (request) => {
    const estimate = estimateRequest(tables, request, codes, date)
    // Written out, because spreading an object is several times slower.
    return {
      kind: estimate.kind,
      estimateCents: estimate.estimateCents,
      checkoutCents: estimate.checkoutCents,
      hsCode: estimate.hsCode,
      taxes: estimate.taxes,
      items: estimate.items,
      customsValueCents: estimate.customsValueCents,
      complete: estimate.complete,
      consignment: estimate.consignment,
      date,
      contentItems: request.items,
      range: () => estimateRange({ tables, request, codes, date }, estimate),
      underOtherScheme: () => {
        const importScheme = otherSchemeOf(estimate)
        if (importScheme === undefined) return undefined
        const other = estimateRequest(tables, { ...request, importScheme }, codes, date)
        return hasSameAmounts(estimate, other) ? undefined : { importScheme, estimate: other }
      },
      ifCode: (index, code) => estimateRequest(tables, request, codes.with(index, givenCode(code)), date),
      restrictions: () => restrictionsOn(estimate, request),
      secondOpinion: (index) => opinionOn(basis, request.items[index]),
    }
  }
}

/** Whether two estimates have the same lines, which are collected by the same. */
function hasSameAmounts(one: DutiesEstimate, other: DutiesEstimate): boolean {
  return (
    one.checkoutCents === other.checkoutCents &&
    one.taxes.length === other.taxes.length &&
    one.taxes.every(({ name, amountCents }, index) => {
      const line = other.taxes[index]
      return line?.name === name && line.amountCents === amountCents
    })
  )
}

async function opinionOn(
  { tables, find }: EstimateBasis,
  item: ContentItem | undefined,
): Promise<SecondOpinion | undefined> {
  if (item?.tariff === undefined) return undefined
  const [candidates = []] = await find([item])
  const { tariffs, hsSuccessors } = tables
  const { code } = interpretCode({ tariff: undefined, tariffs, hsSuccessors }, item.tariff)
  const successors = hsSuccessors.get(item.tariff.slice(0, 6)) ?? []
  return secondOpinion(item.tariff, [code, ...successors.map((row) => row.code)], candidates)
}

/** Classifies all goods, even repeated ones. Yields between `turns`; without them it runs uninterrupted. */
export function findWith(classifier: Classifier, turns: Turns = UNLIMITED_TURNS): FindCodes {
  const { interview } = classifier
  const classify = (goods: readonly DescribedGoods[]) =>
    classifier.classify(
      goods.map(({ description }) => description),
      CODES_PER_ITEM,
      turns,
    )
  return async (goods) => {
    const known = interview === undefined ? [] : goods.filter(hasFacts)
    if (interview === undefined || known.length === 0) return classify(goods)
    const described = goods.filter((item) => !hasFacts(item))
    const found = new Map<DescribedGoods, readonly HsCandidate[]>()
    const classified = described.length === 0 ? [] : await classify(described)
    described.forEach((item, nth) => {
      found.set(item, classified[nth] ?? [])
    })
    for (const item of known) {
      if (turns.over()) await turns.next()
      found.set(item, (await interview(item, CODES_PER_ITEM)).candidates)
    }
    return goods.map((item) => found.get(item) ?? [])
  }
}

const NOTHING_AGREED: CodesBySku = new Map()

/**
 * The codes of items, in order; undefined if no code was found. Only items without a given or agreed code are
 * classified. Not a promise if all have a given one.
 */
export function findItemCodes(
  items: readonly ContentItem[],
  find: FindCodes,
  agreedCodes: Caller['agreedCodes'],
): EstimateBasis['codes'] | Promise<EstimateBasis['codes']> {
  if (items.every(({ tariff }) => tariff !== undefined)) return classifyItems(items, findNothing)
  const agreed = agreedCodesFor(items, agreedCodes)
  return agreed instanceof Promise
    ? agreed.then((codes) => findOtherCodes(items, find, codes))
    : findOtherCodes(items, find, agreed)
}

/** The agreed codes of the account. Empty if no item could use one. */
export function agreedCodesFor(
  items: readonly ContentItem[],
  agreedCodes: Caller['agreedCodes'],
): CodesBySku | Promise<CodesBySku> {
  const hasSku = items.some(({ tariff, sku }) => tariff === undefined && sku !== undefined)
  return (hasSku && agreedCodes?.()) || NOTHING_AGREED
}

async function findOtherCodes(
  items: readonly ContentItem[],
  find: FindCodes,
  agreed: CodesBySku,
): Promise<EstimateBasis['codes']> {
  const agreedOn = ({ sku }: ContentItem): string | undefined =>
    sku === undefined ? undefined : agreed.get(sku)
  const others = items.filter((item) => item.tariff === undefined && agreedOn(item) === undefined)
  const found = others.length === 0 ? [] : await find(others)
  const candidates = new Map(others.map((item, index) => [item, found[index] ?? []]))
  return classifyItems(items, (item) => candidates.get(item) ?? [], agreedOn)
}

function findNothing(): readonly HsCandidate[] {
  return []
}
