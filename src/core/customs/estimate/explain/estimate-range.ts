/**
 * The range of an estimate: the lowest and the highest total that fit the request. Both are estimates of their own,
 * with the lowest or highest rate of every open line, because a duty is part of the base of taxes and decides about
 * low-value rules on amounts. If the import scheme is not given, the range covers every scheme, and the seller's scheme
 * with and without it.
 * See docs/customs-data.md#range-of-the-total.
 */
import { formatCents } from '../../../money.ts'
import type { CompiledCustoms } from '../../compiled-customs.ts'
import { IMPORT_SCHEMES } from '../../data/row-types/thresholds.ts'
import type { DutiesRequest, GivenScheme } from '../../request.ts'
import type { Bound, Consignment } from '../consignment.ts'
import { type Classification, type DutiesEstimate, estimateRequest } from '../estimate.ts'
import { canCover, isSellerSchemeOpen, oppositeScheme } from '../import-schemes/import-scheme.ts'
import { fitsScheme } from '../import-schemes/threshold.ts'
import type { TaxLine } from '../tax-line.ts'
import type { OpenPoint } from './explanation.ts'
import { lineOpenPoints } from './line.ts'
import { schemeText } from './seller-scheme.ts'
import { schemesText } from './threshold.ts'

/** `leastCents` ≤ `likelyCents` ≤ `mostCents`. */
export type EstimateRange = {
  readonly leastCents: number
  /** The estimate itself. */
  readonly likelyCents: number
  /** Undefined if a line or an item has no known upper bound. */
  readonly mostCents: number | undefined
  /** The names of the lines, and the descriptions of the items, without an upper bound. */
  readonly withoutBound: readonly string[]
  /** What decides most about the total, as a sentence. Undefined if nothing is open. */
  readonly decision: string | undefined
}

/** What an estimate was calculated from. */
export type EstimateInputs = {
  readonly tables: CompiledCustoms
  readonly request: DutiesRequest
  readonly codes: readonly (Classification | undefined)[]
  readonly date: string
}

/** The number of estimates that `estimateRange` calculates at most, for the cost of a request. */
export const MAX_RANGE_ESTIMATES = 2 * IMPORT_SCHEMES.length

export function estimateRange(inputs: EstimateInputs, estimate: DutiesEstimate): EstimateRange {
  const points = pointsOf(estimate)
  const schemes = schemesToCompare(estimate.consignment)
  const likelyCents = estimate.estimateCents
  const { items } = inputs.request
  if (schemes.length < 2 && points.every(({ point }) => point.kind === 'unbounded')) {
    const withoutBound = partsWithoutBound(items, [estimate])
    const leastCents = hasUnappliedRule(estimate.taxes) ? 0 : likelyCents
    const mostCents = withoutBound.length === 0 ? likelyCents : undefined
    return { leastCents, likelyCents, mostCents, withoutBound, decision: boundSentence(withoutBound) }
  }
  const least = extremes(inputs, schemes, 'least')
  const most = extremes(inputs, schemes, 'most')
  const withoutBound = partsWithoutBound(items, [estimate, ...most])
  const leastCents = hasUnappliedRule(estimate.taxes) ? 0 : Math.min(likelyCents, ...least.map(centsIn))
  const mostCents = Math.max(likelyCents, ...most.map(centsIn))
  const [decisive] = decisions(inputs, estimate, schemes, { least: least[0], most: most[0] })
  return {
    leastCents,
    likelyCents,
    mostCents: withoutBound.length === 0 ? mostCents : undefined,
    withoutBound,
    decision: decisive?.sentence ?? boundSentence(withoutBound),
  }
}

type LinePoint = { readonly line: TaxLine; readonly point: OpenPoint }

function pointsOf({ consignment, taxes }: DutiesEstimate): readonly LinePoint[] {
  return taxes.flatMap((line) => lineOpenPoints(consignment, line).map((point) => ({ line, point })))
}

/** Of the estimate, and of those under other schemes. */
function partsWithoutBound(
  items: DutiesRequest['items'],
  estimates: readonly DutiesEstimate[],
): readonly string[] {
  const lines = estimates
    .flatMap(pointsOf)
    .flatMap(({ line, point }) => (point.kind === 'unbounded' ? [point.lineName ?? chargeName(line)] : []))
  const uncoded = estimates[0]?.items.flatMap(({ index, classification }) =>
    classification === undefined ? [items[index]?.description ?? ''] : [],
  )
  return [...new Set([...lines, ...(uncoded ?? [])])]
}

/** The name of a line without the remark that it is not estimated. */
function chargeName({ name }: TaxLine): string {
  for (const remark of [' (not estimated)', ', part not estimated'])
    if (name.endsWith(remark)) return name.slice(0, -remark.length)
  return name
}

/** A low-value rule that could not be applied may lower every charge. */
function hasUnappliedRule(lines: readonly TaxLine[]): boolean {
  return lines.some(
    ({ calculation }) => calculation.kind === 'notCharged' && calculation.reason === 'unconvertible',
  )
}

/**
 * The scheme of the estimate, and one for each other set of low-value rules and fees. Also one with or without the
 * seller's scheme, if the request leaves that open. Only the first if nothing is open.
 */
function schemesToCompare(consignment: Consignment): readonly (GivenScheme | undefined)[] {
  const { importScheme } = consignment
  const others = otherRuleSchemes(consignment)
  if (!isSellerSchemeOpen(consignment)) return [importScheme, ...others]
  const other = oppositeScheme(consignment)
  // All schemes among the others are without that of the seller.
  return other !== 'SELLER_COLLECTS' && others.length > 0
    ? [importScheme, ...others]
    : [importScheme, ...others, other]
}

function otherRuleSchemes(consignment: Consignment): readonly GivenScheme[] {
  const { importScheme, isImportSchemeGiven, schemeRules, coversGoods } = consignment
  if (isImportSchemeGiven || schemeRules.length === 0) return []
  const rulesUnder = (scheme: typeof importScheme): string =>
    schemeRules.map((rule) => Number(fitsScheme(rule, scheme))).join('')
  const known = new Set([rulesUnder(importScheme)])
  return IMPORT_SCHEMES.filter((scheme) => {
    if (!canCover(consignment, scheme, coversGoods)) return false
    const rules = rulesUnder(scheme)
    const isNew = !known.has(rules)
    known.add(rules)
    return isNew
  })
}

/** The estimates at one end: of the request as it is, and under each other scheme. */
function extremes(
  inputs: EstimateInputs,
  schemes: readonly (GivenScheme | undefined)[],
  bound?: Bound,
): readonly DutiesEstimate[] {
  const { tables, request, codes, date } = inputs
  return schemes.map((importScheme, index) =>
    estimateRequest(tables, index === 0 ? request : { ...request, importScheme }, codes, date, bound),
  )
}

function centsIn({ estimateCents }: DutiesEstimate): number {
  return estimateCents
}

/** `cents`: how far apart the two ends are. */
type Decision = { readonly sentence: string; readonly cents: number }

/** Everything that changes the total, the most important first. */
function decisions(
  inputs: EstimateInputs,
  estimate: DutiesEstimate,
  schemes: readonly (GivenScheme | undefined)[],
  ends: { readonly least: DutiesEstimate | undefined; readonly most: DutiesEstimate | undefined },
): readonly Decision[] {
  const found = pointsOf(estimate).flatMap(({ line, point }): Decision[] => {
    if (point.kind === 'unbounded') return []
    const cents = centsOn(ends.most, line, point.lineName) - centsOn(ends.least, line, point.lineName)
    return [{ sentence: point.decision, cents }]
  })
  if (schemes.length > 1) found.push(schemeDecision(inputs, schemes, estimate.consignment))
  return found.filter(({ cents }) => cents > 0).toSorted((a, b) => b.cents - a.cents)
}

function centsOn(estimate: DutiesEstimate | undefined, { harmonizedCode }: TaxLine, name: string): number {
  const line = estimate?.taxes.find((other) => other.harmonizedCode === harmonizedCode && other.name === name)
  return line?.amountCents ?? 0
}

function schemeDecision(
  inputs: EstimateInputs,
  schemes: readonly (GivenScheme | undefined)[],
  { schemeRules, sellerScheme }: Consignment,
): Decision {
  const totals = extremes(inputs, schemes).map(centsIn)
  const cents = Math.max(...totals) - Math.min(...totals)
  if (schemeRules.length === 0 && sellerScheme !== undefined) {
    const [likely = 0, other = 0] = totals.map(formatCents)
    const [used, unused] = sellerScheme.basis === undefined ? [other, likely] : [likely, other]
    const name = schemeText(sellerScheme)
    const sentence = `Whether the seller collects the tax under ${name} decides: EUR ${used} if so, otherwise EUR ${unused}.`
    return { sentence, cents }
  }
  const parts = schemes.map((scheme, index) => {
    const importSchemes = scheme === undefined ? [] : [scheme]
    return `${schemesText({ importSchemes })} EUR ${formatCents(totals[index] ?? 0)}`
  })
  const cause = schemes.includes('IOSS')
    ? 'Whether the seller is registered for IOSS, and how the goods are declared, decides'
    : 'How the goods are imported decides'
  return { sentence: `${cause}: ${parts.join(', ')}.`, cents }
}

/** Undefined if every part has an upper bound. */
export function boundSentence(withoutBound: readonly string[]): string | undefined {
  if (withoutBound.length === 0) return undefined
  return `No upper bound is known, because a part is not estimated: ${withoutBound.join(', ')}.`
}
