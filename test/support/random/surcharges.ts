/** Random surcharges of a carrier, with every method, phase and trigger. Some are renewed, ended or excluded. */
import type { SurchargeMethod, SurchargePhase, SurchargeRow } from '../../../src/core/rating/rate-card.ts'
import { CARD_COUNTRIES } from './places.ts'
import { type Dice, withoutUndefined } from './seeded-dice.ts'

/** Days on which validity and seasons begin and end, in order. Requests are priced on these days too. */
export const DAYS = [
  '2026-01-01',
  '2026-01-05',
  '2026-01-06',
  '2026-03-14',
  '2026-03-15',
  '2026-06-30',
  '2026-07-01',
  '2026-11-14',
  '2026-11-15',
  '2026-12-31',
  '2027-01-01',
  '2027-01-05',
  '2027-01-06',
] as const

export function randomValidity(dice: Dice, openChance = 0.6): { validFrom: string; validTo?: string } {
  const first = dice.chance(0.5) ? 0 : dice.int(0, DAYS.length - 2)
  const validTo = dice.chance(openChance) ? undefined : DAYS[dice.int(first + 1, DAYS.length - 1)]
  return withoutUndefined({ validFrom: DAYS[first]!, validTo })
}

/** Bounds of triggers on sides, in centimetres. Sides of requests are near them. */
export const SIDE_BOUNDS = [3, 40, 60, 80, 100, 120] as const
/** Bounds of triggers on weights, in kilograms. */
export const KILOGRAM_BOUNDS = ['0.5', '2', '10', '20.5', '30', '100'] as const

/** The country groups that triggers can use. With `rising`, measures have only lower bounds. */
export type TriggerRules = { readonly groups: readonly string[]; readonly rising?: boolean }

type Condition = (dice: Dice, rules: TriggerRules) => string

const comparison =
  (word: string, bounds: readonly (string | number)[]): Condition =>
  (dice, { rising }) =>
    `${word}${dice.pick(rising === true ? ['>', '>='] : ['>', '>=', '<', '<='])}${dice.pick(bounds)}`

const AREAS = ['NORMAL', 'REMOTE', 'ISLAND', 'OVERSEAS'] as const
const SEASONS = ['11-15..01-05', '01-01..01-05', '03-15..06-30', '11-15..11-15', '07-01..11-14'] as const

const CONDITIONS: readonly Condition[] = [
  () => 'always',
  () => 'domestic',
  () => 'international',
  (dice) => `recipient=${dice.pick(['individual', 'business'])}`,
  (dice) => `${dice.pick(['area', 'from_area', 'to_area'])}=${dice.some(AREAS, 1, 2).join('|')}`,
  (dice) => `${dice.pick(['area', 'from_area', 'to_area'])}=${dice.some(AREAS, 1, 2).join('|')}`,
  (dice, { groups }) => `${dice.pick(['from_group', 'to_group'])}=${dice.some(groups, 1, 3).join('|')}`,
  (dice) => `${dice.pick(['from_country', 'to_country'])}=${dice.some(CARD_COUNTRIES, 1, 3).join('|')}`,
  (dice) => `date=${dice.pick(SEASONS)}`,
  () => 'stackable=false',
  comparison('longest_cm', SIDE_BOUNDS),
  comparison('second_cm', SIDE_BOUNDS),
  comparison('girth_cm', [200, 240, 300, 400]),
  comparison('height_cm', SIDE_BOUNDS),
  comparison('volume_l', [8, 96, 150, '192', '57.6']),
  comparison('piece_kg', KILOGRAM_BOUNDS),
  comparison('piece_kg', KILOGRAM_BOUNDS),
  comparison('pieces', [1, 2, 3]),
  comparison('shipment_kg', KILOGRAM_BOUNDS),
]

/** A trigger of one to three clauses. */
export function randomTrigger(dice: Dice, rules: TriggerRules): string {
  if (dice.chance(0.15)) return 'always'
  const clauses = Array.from({ length: dice.pick([1, 1, 1, 2, 2, 3]) }, () =>
    Array.from({ length: dice.pick([1, 1, 1, 2]) }, () => dice.pick(CONDITIONS)(dice, rules)).join('|'),
  )
  return clauses.join('&')
}

/** A code excludes only later codes of this list, so that there are no circles. */
export const SURCHARGE_CODES = [
  'OVERSIZE',
  'HANDLING',
  'REMOTE',
  'ISLAND',
  'RESIDENTIAL',
  'PEAK',
  'NOSTACK',
  'TOLL',
  'FUEL',
  'FUEL_SEA',
  'CLEARANCE',
] as const

export const FUEL_CODES: readonly string[] = ['FUEL', 'FUEL_SEA']

function randomMethod(dice: Dice, code: string): { phase: SurchargePhase; method: SurchargeMethod } {
  if (FUEL_CODES.includes(code)) return { phase: 'percent', method: 'fuel' }
  const phase = dice.pick(['accessorial', 'accessorial', 'percent', 'fixed'] as const)
  const method = phase === 'percent' ? 'pct' : dice.pick(['flat', 'flat', 'per_kg', 'pct'] as const)
  return { phase, method }
}

function randomAmount(dice: Dice, method: SurchargeMethod): number {
  switch (method) {
    case 'flat':
      return dice.pick([0, 35, 65, 250, 999, dice.int(1, 3000)])
    case 'per_kg':
      return dice.pick([1, 12, 25, 60, dice.int(1, 150)])
    case 'pct':
      return dice.pick([250, 1250, 2500, 3333, dice.int(1, 5000)])
    // A formula has its amount in the expression.
    case 'formula':
    case 'fuel':
      return 0
  }
}

/** The surcharges of a carrier in one card. `products` are the ids of its products there. */
export function randomSurcharges(
  dice: Dice,
  carrierCode: string,
  products: readonly number[],
  rules: TriggerRules,
): readonly SurchargeRow[] {
  const codes = dice.some(SURCHARGE_CODES, 0, 8)
  const rows = codes.flatMap((code) => {
    const later = codes.slice(codes.indexOf(code) + 1)
    const begins = new Set<string>()
    const versions = dice.chance(0.25) ? dice.int(2, 3) : 1
    return Array.from({ length: versions }, (): SurchargeRow | undefined => {
      const validity = randomValidity(dice, 0.75)
      if (begins.has(validity.validFrom)) return undefined
      begins.add(validity.validFrom)
      const { phase, method } = randomMethod(dice, code)
      const isCalculated = method === 'pct' || method === 'per_kg'
      const minimumCents = isCalculated && dice.chance(0.4) ? dice.int(1, 4000) : 0
      const hasMaximum = (isCalculated || method === 'fuel') && dice.chance(0.3)
      const limited = dice.chance(0.25) ? dice.some(products, 1, 2) : undefined
      return withoutUndefined({
        carrierCode,
        code,
        name: `${code} of ${validity.validFrom}`,
        reason: `Reason of ${code}`,
        phase,
        method,
        amount: randomAmount(dice, method),
        minimumCents,
        maximumCents: hasMaximum ? minimumCents + dice.int(1, 3000) : undefined,
        per: method === 'fuel' ? ('shipment' as const) : dice.pick(['shipment', 'unit', 'unit'] as const),
        trigger: method === 'fuel' && dice.chance(0.8) ? 'always' : randomTrigger(dice, rules),
        fuelable: phase === 'accessorial' && dice.chance(0.6),
        excludes: dice.chance(0.35) ? dice.some(later, 1, 3) : [],
        products: limited,
        ...validity,
      })
    }).filter((row) => row !== undefined)
  })
  return dice.chance(0.5) ? rows : [...rows].reverse()
}
