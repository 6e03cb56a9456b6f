/** Random schemes under which sellers collect the tax, and registrations of sellers for them. */
import type { JurisdictionRow } from '../../../src/core/customs/data/row-types/places.ts'
import type { SellerSchemeRow } from '../../../src/core/customs/data/row-types/seller-schemes.ts'
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import type { SellerRegistration } from '../../../src/core/customs/seller-registration.ts'
import type { Money } from './customs-charges.ts'
import { randomValidity } from './customs-rate.ts'
import { DATA_SET, SIX_DIGITS } from './customs-tariff.ts'
import type { Dice } from './seeded-dice.ts'

/** Schemes of a jurisdiction, or of its tax area; usually one. Members of the EU have IOSS. */
export function randomSellerSchemes(
  dice: Dice,
  { code, taxAreas }: JurisdictionRow,
  moneys: readonly Money[],
): readonly SellerSchemeRow[] {
  const count = dice.pick([0, 1, 1, 2])
  return Array.from({ length: count }, (_, index): SellerSchemeRow => {
    const { currency, about } = dice.pick(moneys)
    const hasLimit = dice.chance(0.85)
    const limit = Math.max(1, Math.round(dice.pick([20, 50, 150, 800]) * about))
    return {
      dataSet: DATA_SET,
      jurisdiction: dice.pick([code, taxAreas[0] ?? code]),
      scheme: taxAreas.includes('EU') ? 'IOSS' : `${code}-${index}`,
      name: `a scheme of ${code}`,
      limitAmount: hasLimit ? String(limit) : '',
      currency: hasLimit ? currency : '',
      limitOn: dice.pick(['consignment', 'item']),
      belowLimit: dice.chance(0.4),
      excludedPrefixes: dice.chance(0.4)
        ? dice.some(SIX_DIGITS, 1, 3).map((six) => six.slice(0, dice.pick([2, 4, 6])))
        : [],
      recipient: dice.pick(['individual', 'individual', 'any', 'business']),
      freesFromDuty: dice.chance(0.4),
      assumed: dice.chance(0.6),
      ...randomValidity(dice),
      source: '',
      readOn: null,
      confidence: 'high',
      note: '',
    }
  })
}

/** Registrations of an account for some of the schemes, and for one without rows. */
export function randomRegistrations(
  dice: Dice,
  { sellerSchemes }: Pick<CustomsRows, 'sellerSchemes'>,
): readonly SellerRegistration[] {
  const schemes = [...sellerSchemes.map(({ scheme }) => scheme), 'elsewhere']
  return dice
    .some(schemes, 1, 2)
    .map((scheme) => ({ scheme, number: '1', ...(dice.chance(0.5) ? ALWAYS : randomValidity(dice)) }))
}

const ALWAYS = { validFrom: null, validTo: null }
