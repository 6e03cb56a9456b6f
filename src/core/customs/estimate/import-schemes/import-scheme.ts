/**
 * The import scheme of a consignment: given, or assumed if low-value rules or fees depend on it.
 * See docs/customs-data.md#import-schemes and docs/decisions/customs.md#d180.
 */
import { IMPORT_SCHEMES, type ImportScheme } from '../../data/row-types/thresholds.ts'
import type { GivenScheme } from '../../request.ts'
import { type Consignment, NO_RULES, type OpenConsignment, type SchemeRule } from '../consignment.ts'
import { isFeeDue } from '../fee.ts'
import type { Goods } from '../goods.ts'
import { coversSome } from './seller-scheme.ts'
import { coversCode, fitsRecipient, fitsScheme, isOnAmount, isWithin } from './threshold.ts'

/**
 * Adds the rules and fees for the goods that depend on the import scheme, and assumes a scheme if none is given: the
 * first of their schemes that can be used. Rules on duty come first, then rules on tax, then fees.
 */
export function withImportScheme(consignment: OpenConsignment, goods: readonly Goods[]): Consignment {
  consignment.coversGoods = coversGoods(consignment, goods)
  if (consignment.importScheme !== undefined && !canBeUsed(consignment, consignment.importScheme)) {
    consignment.importScheme = undefined
    consignment.isImportSchemeGiven = false
  }
  const schemeRules = rulesByScheme(consignment, goods)
  if (schemeRules.length === 0) return consignment
  consignment.schemeRules = schemeRules
  consignment.importScheme ??= assumedScheme(consignment, schemeRules)
  return consignment
}

/** The first scheme that a rule names and that can be used. */
function assumedScheme(consignment: Consignment, rules: readonly SchemeRule[]): ImportScheme | undefined {
  for (const { importSchemes } of rules)
    for (const named of importSchemes)
      if (canBeUsed(consignment, named)) return IMPORT_SCHEMES.find((scheme) => scheme === named)
  return undefined
}

/** False for a scheme of sellers, such as IOSS, that is not used, or that does not cover the goods. */
function canBeUsed(consignment: Consignment, importScheme: string): boolean {
  const { sellerScheme, coversGoods } = consignment
  if (!canCover(consignment, importScheme, coversGoods)) return false
  return sellerScheme?.basis !== undefined || sellerScheme?.scheme.row.scheme !== importScheme
}

/**
 * False for a scheme of sellers that the destination does not have, or that does not cover the goods. `coversGoods`:
 * whether the scheme of the destination covers them.
 */
export function canCover(
  { tables, sellerScheme }: Pick<Consignment, 'tables' | 'sellerScheme'>,
  importScheme: string,
  coversGoods: boolean,
): boolean {
  if (!tables.sellerSchemeNames.has(importScheme)) return true
  return sellerScheme?.scheme.row.scheme === importScheme && coversGoods
}

/** Whether the scheme of the destination could cover some of the goods. */
function coversGoods(consignment: OpenConsignment, goods: readonly Goods[]): boolean {
  const { sellerScheme } = consignment
  return sellerScheme !== undefined && coversSome(consignment, sellerScheme, goods)
}

/**
 * The first scheme under which other rules apply, preferably one that a rule names. Without such rules, the scheme that
 * decides whether the seller collects the tax. Undefined if nothing depends on the scheme.
 */
export function otherImportScheme(consignment: Consignment): GivenScheme | undefined {
  const { schemeRules, importScheme, sellerScheme, coversGoods } = consignment
  const others = IMPORT_SCHEMES.filter(
    (scheme) =>
      canCover(consignment, scheme, coversGoods) &&
      schemeRules.some((row) => fitsScheme(row, scheme) !== fitsScheme(row, importScheme)),
  )
  const other =
    others.find((scheme) => schemeRules.some((row) => row.importSchemes.includes(scheme))) ?? others[0]
  return other !== undefined || !coversGoods ? other : oppositeScheme({ sellerScheme })
}

/** The scheme under which the seller collects the tax if it does not in the estimate, and the other way round. */
export function oppositeScheme({ sellerScheme }: Pick<Consignment, 'sellerScheme'>): GivenScheme {
  return sellerScheme?.basis === undefined ? 'SELLER_COLLECTS' : 'COURIER'
}

/** Whether it depends on facts that are not given whether the seller collects the tax on some of the goods. */
export function isSellerSchemeOpen(consignment: Consignment): boolean {
  const { sellerScheme, coversGoods, isImportSchemeGiven } = consignment
  if (sellerScheme === undefined || !coversGoods) return false
  return sellerScheme.basis === 'ASSUMED' || (sellerScheme.basis === undefined && !isImportSchemeGiven)
}

function rulesByScheme(consignment: Consignment, goods: readonly Goods[]): readonly SchemeRule[] {
  const { schemeRules, schemeFees, movement } = consignment.route
  if (schemeRules.length === 0 && schemeFees.length === 0) return NO_RULES
  const rules: SchemeRule[] = []
  for (const { threshold, rate } of schemeRules) {
    const { row, limit } = threshold
    if (row.appliesTo === 'duty' && movement !== 'import') continue
    if (!fitsRecipient(consignment, row)) continue
    if (!goods.some(({ harmonizedCode }) => coversCode(row, harmonizedCode))) continue
    const hasNoLimit = limit === undefined || rate === undefined || isOnAmount(row)
    if (hasNoLimit || isWithin(consignment, row, limit, rate)) rules.push(row)
  }
  if (movement !== 'import' || goods.length === 0) return rules
  for (const { fee, rate } of schemeFees) if (isFeeDue(consignment, fee, rate)) rules.push(fee.row)
  return rules
}
