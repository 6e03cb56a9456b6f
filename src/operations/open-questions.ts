/**
 * The questions about an item of an estimate, with what each answer costs at the destination. See
 * docs/hs-classification.md#questions-with-options-and-answers.
 */
import type { DutiesEstimate } from '../core/customs/estimate/estimate.ts'
import type { ContentItem } from '../core/customs/request.ts'
import type { GoodsOption, GoodsQuestion } from '../core/hs-candidate.ts'
import type { DatedEstimate } from './estimate-duties.ts'
import type { Ports } from './ports/ports.ts'

export type ValuedOption = GoodsOption & {
  /**
   * What the estimate changes by, in cents. Undefined if a duty or tax on the item is not calculated, or if one on
   * other goods is calculated in one of the two estimates only.
   */
  readonly differenceCents: number | undefined
}

export type ValuedQuestion = Omit<GoodsQuestion, 'options'> & { readonly options: readonly ValuedOption[] }

/** Called before the work that they announce. If one throws, the work is not done. */
export type BeforeWork = { asking(goods: ContentItem): void; estimating(): void }

/**
 * Those that decide the most money come first; of equals, those that decide between the most likely codes. Empty if the
 * code was given or agreed. An estimate is repeated for each code that an option leads to.
 */
export async function openQuestions(
  { classifier }: Pick<Ports, 'classifier'>,
  estimate: DatedEstimate,
  index: number,
  before: BeforeWork,
): Promise<readonly ValuedQuestion[]> {
  const item = estimate.contentItems[index]
  const { classification } = estimate.items[index] ?? {}
  if (item === undefined || classification?.source !== 'FROM_DESCRIPTION') return []
  if (classifier.interview === undefined) return []
  before.asking(item)
  const { questions } = await classifier.interview(item, 1)
  const known = new Map<string, number | undefined>()
  const differenceOf = (code: string): number | undefined => {
    if (code === classification.code) return isCalculated(estimate, index) ? 0 : undefined
    if (!known.has(code)) {
      before.estimating()
      known.set(code, differenceBetween(estimate, estimate.ifCode(index, code), index))
    }
    return known.get(code)
  }
  const valued = questions.map((question) => ({
    ...question,
    options: question.options.map((option) => ({ ...option, differenceCents: differenceOf(option.code) })),
  }))
  return valued.toSorted((one, other) => decidedCents(other) - decidedCents(one))
}

function differenceBetween(
  estimate: DutiesEstimate,
  other: DutiesEstimate,
  index: number,
): number | undefined {
  if (!isCalculated(estimate, index) || !isCalculated(other, index)) return undefined
  // What is not calculated on other items is the same in both, so that it does not matter for the difference.
  if (missingElsewhere(estimate, index) !== missingElsewhere(other, index)) return undefined
  return other.estimateCents - estimate.estimateCents
}

/** True if the estimate has all duties and taxes on an item. A handling fee does not depend on the code. */
function isCalculated({ taxes }: DutiesEstimate, index: number): boolean {
  return taxes.every(({ computed, kind, items }) => computed || kind === 'FEE' || !items.includes(index))
}

/** Names the lines without an amount that do not apply to an item. With equal texts, the same amounts are missing. */
function missingElsewhere({ taxes }: DutiesEstimate, index: number): string {
  const missing = taxes.filter(({ computed, items }) => !computed && !items.includes(index))
  return missing.map(({ harmonizedCode, name }) => `${harmonizedCode} ${name}`).join('\n')
}

/** The difference between the most and the least expensive answer. */
function decidedCents({ options }: ValuedQuestion): number {
  const cents = options.flatMap(({ differenceCents }) => differenceCents ?? [])
  return cents.length === 0 ? 0 : Math.max(...cents) - Math.min(...cents)
}
