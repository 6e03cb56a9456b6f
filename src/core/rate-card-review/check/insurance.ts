/**
 * Checks the insurance bands of a card: those of a carrier cover every value that can be insured, without gaps.
 * Rules: docs/rate-card-files.md#fuel-insurance-capitals.
 */
import { groupBy } from '../../group-by.ts'
import { percentText } from '../../rating/explain/figure-text.ts'
import { startedSteps } from '../../rating/price/insurance.ts'
import type { InsuranceBandRow, InsuranceRow, RateCardContent } from '../../rating/rate-card.ts'
import type { CardIndex } from './card-index.ts'
import { type Reports, reportDuplicates } from './findings.ts'
import { CARD_LIMITS } from './sizes.ts'

/** The largest premium in cents. */
const LARGEST_PREMIUM = 2_147_483_647

type ListedBand = { readonly row: InsuranceBandRow; readonly index: number }

export function checkInsurance(content: RateCardContent, { money }: CardIndex, reports: Reports): void {
  const { insurance, insuranceBands } = content
  reportDuplicates(
    reports.fault,
    'insurance',
    insurance,
    (row) => row.carrierCode,
    'one row for each carrier',
  )
  const banded = new Set(insuranceBands.map(({ carrierCode }) => carrierCode))
  for (const [index, terms] of insurance.entries()) warnOfNoPremium(terms, index, banded, reports)
  const listed = insuranceBands.map((row, index) => ({ row, index }))
  for (const band of listed) checkPremium(band, money, reports)
  for (const [carrierCode, bands] of groupBy(listed, ({ row }) => row.carrierCode)) {
    // checkSizes reports more.
    if (bands.length > CARD_LIMITS.insuranceBandsOfCarrier) continue
    const at = insurance.findIndex((row) => row.carrierCode === carrierCode)
    const terms = insurance[at]
    if (terms === undefined) {
      const expected = `insurance terms of ${carrierCode}, with free cover and highest value`
      reports.fault('insuranceBands', 'terms', { index: bands[0]!.index, field: 'carrierCode', expected })
      continue
    }
    if (terms.rateBps !== 0) {
      const expected = `0, because ${carrierCode} has insurance bands`
      reports.fault('insurance', 'rate', {
        index: at,
        field: 'rateBps',
        expected,
        found: percentText(terms.rateBps),
      })
    }
    const inOrder = bands.toSorted((a, b) => a.row.overCents - b.row.overCents || a.index - b.index)
    checkBounds(inOrder, terms.freeCoverCents, terms.maxValueCents, money, reports)
    warnOfFallingPremium(inOrder, terms.freeCoverCents, money, reports)
  }
}

/** A card whose bands were left out would insure every value for nothing. */
function warnOfNoPremium(
  { carrierCode, freeCoverCents, rateBps, minimumCents, maxValueCents }: InsuranceRow,
  index: number,
  banded: ReadonlySet<string>,
  { warn }: Reports,
): void {
  if (rateBps > 0 || minimumCents > 0 || maxValueCents <= freeCoverCents || banded.has(carrierCode)) return
  const expected = `a percentage, a minimum or insurance bands of ${carrierCode}: above the free cover, the premium is 0`
  warn('insurance', 'no premium', { index, field: 'rateBps', expected, found: percentText(rateBps) })
}

function checkPremium({ row, index }: ListedBand, money: CardIndex['money'], { fault }: Reports): void {
  const { overCents, upToCents } = row
  if (upToCents <= overCents) {
    const expected = `more than ${money(overCents)}, where the band begins`
    fault('insuranceBands', 'empty', { index, field: 'upToCents', expected, found: money(upToCents) })
  } else if (premiumAtEnd(row, 0) > LARGEST_PREMIUM) {
    const expected = `a premium of at most ${money(LARGEST_PREMIUM)} at the end of the band`
    fault('insuranceBands', 'premium', { index, field: 'stepPriceCents', expected })
  }
}

/** The first band begins at 0 or within the free cover, each other one where the band before it ends. */
function checkBounds(
  bands: readonly ListedBand[],
  freeCoverCents: number,
  maxValueCents: number,
  money: CardIndex['money'],
  { fault }: Reports,
): void {
  bands.forEach(({ row: { overCents }, index }, at) => {
    const before = bands[at - 1]?.row
    if (before === undefined ? overCents <= freeCoverCents : overCents === before.upToCents) return
    const expected =
      before === undefined
        ? `at most ${money(freeCoverCents)}, the free cover, because it is the first band`
        : `${money(before.upToCents)}, where the band before it ends`
    fault('insuranceBands', 'bounds', { index, field: 'overCents', expected, found: money(overCents) })
  })
  const { row, index } = bands.at(-1)!
  if (row.upToCents >= maxValueCents) return
  const expected = `at least ${money(maxValueCents)}, the highest value, because it is the last band`
  fault('insuranceBands', 'end', { index, field: 'upToCents', expected, found: money(row.upToCents) })
}

function warnOfFallingPremium(
  bands: readonly ListedBand[],
  freeCoverCents: number,
  money: CardIndex['money'],
  { warn }: Reports,
): void {
  bands.forEach(({ row: { priceCents, stepPriceCents = 0 }, index }, at) => {
    const before = bands[at - 1]
    if (before === undefined) return
    const lowest = priceCents + stepPriceCents
    const highest = premiumAtEnd(before.row, freeCoverCents)
    if (lowest >= highest) return
    const expected = `at least ${money(highest)}, the premium at the end of the band before it`
    warn('insuranceBands', 'falling', { index, field: 'priceCents', expected, found: money(lowest) })
  })
}

/** The premium at the end of a band; 0 if the free cover, in cents, includes it. */
function premiumAtEnd(row: InsuranceBandRow, freeCents: number): number {
  const { upToCents, priceCents, stepPriceCents = 0 } = row
  if (upToCents <= freeCents) return 0
  return priceCents + startedSteps(row, upToCents, freeCents) * stepPriceCents
}
