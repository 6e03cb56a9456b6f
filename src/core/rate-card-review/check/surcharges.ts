/**
 * Checks the surcharges of a card: trigger, amount, products, validity, and the surcharges that they exclude.
 * Rules: docs/rate-card-files.md#surcharges.
 */

import { groupBy } from '../../group-by.ts'
import { isCountryCode } from '../../place.ts'
import { type Clause, type Condition, parseTrigger, TRIGGER_VOCABULARY } from '../../rating/book/trigger.ts'
import { percentText } from '../../rating/explain/figure-text.ts'
import type { FuelRate, RateCardImport, SurchargeRow } from '../../rating/rate-card.ts'
import { checkCharge, checkProductIds } from './accessorials.ts'
import type { CardIndex } from './card-index.ts'
import { checkExpressions, rowVocabularies } from './expressions.ts'
import { type Reports, reportDuplicates } from './findings.ts'
import { CARD_LIMITS } from './sizes.ts'

/**
 * A fuel percentage that the card lacks is only a warning, because the database may have it. `storedFuel` are the
 * percentages of the database.
 */
export function checkSurcharges(
  { content, fuel: listedFuel }: RateCardImport,
  storedFuel: readonly Pick<FuelRate, 'carrierCode' | 'code'>[],
  index: CardIndex,
  reports: Reports,
): void {
  const { surcharges } = content
  const fuel = [...listedFuel, ...storedFuel]
  const { groups } = index
  const rated = new Set(fuel.map(({ carrierCode, code }) => JSON.stringify([carrierCode, code])))
  surcharges.forEach((row, at) => {
    checkTrigger(row, at, groups, reports)
    checkExpressions('surcharges', row, at, () => rowVocabularies(row, index), reports)
    checkAmount(row, at, index.money, reports)
    checkCharge('surcharges', row, at, index, reports)
    checkProductIds('surcharges', row, at, index, reports)
    checkValidity(row, at, reports)
    if (row.code.includes('|')) {
      const expected = 'a code without |, which separates codes in excludes'
      reports.fault('surcharges', 'code', { index: at, field: 'code', expected, found: row.code })
    }
    const { carrierCode, code, method } = row
    const key = JSON.stringify([carrierCode, code])
    if (method !== 'fuel' || rated.has(key)) return
    rated.add(key)
    const expected = `a row of fuel.csv for ${carrierCode} ${code}, or a figure or table that is set with waybill fuel`
    reports.warn('surcharges', 'no rate', { index: at, field: 'method', expected })
  })
  reportDuplicates(
    reports.fault,
    'surcharges',
    surcharges,
    ({ carrierCode, code, validFrom }) => `${carrierCode} ${code} from ${validFrom}`,
    'one row for each carrier, code and first day',
  )
  warnOfUnusedFuel(surcharges, listedFuel, reports)
  checkExclusions(surcharges, reports)
}

/** A percentage whose code no fuel surcharge of the carrier has is never charged. Reported once for each code. */
function warnOfUnusedFuel(
  surcharges: readonly SurchargeRow[],
  fuel: readonly FuelRate[],
  { warn }: Reports,
): void {
  const keyOf = ({ carrierCode, code }: Pick<FuelRate, 'carrierCode' | 'code'>): string =>
    JSON.stringify([carrierCode, code])
  const used = new Set(surcharges.filter(({ method }) => method === 'fuel').map(keyOf))
  fuel.forEach((rate, index) => {
    if (used.has(keyOf(rate))) return
    used.add(keyOf(rate))
    const expected = `a surcharge of ${rate.carrierCode} with this code and the method fuel`
    warn('fuel', 'unused', { index, field: 'code', expected, found: rate.code })
  })
}

function checkTrigger(
  { trigger }: SurchargeRow,
  index: number,
  groups: ReadonlySet<string>,
  { fault }: Reports,
): void {
  let clauses: readonly Clause[]
  try {
    clauses = parseTrigger(trigger)
  } catch (error) {
    // Not the whole trigger: a fault shows only the beginning of a long text.
    const found = error instanceof Error ? error.message : String(error)
    const expected = `conditions such as ${TRIGGER_VOCABULARY.join(', ')} (or with <, >=, <=)`
    fault('surcharges', 'trigger', { index, field: 'trigger', expected, found })
    return
  }
  const unknown = unknownPlaces(clauses, groups)
  if (unknown.length === 0) return
  const expected = 'groups that a zone chart of the card has, and ISO 3166-1 country codes'
  fault('surcharges', 'place', { index, field: 'trigger', expected, found: unknown.join(', ') })
}

/** The groups in a trigger that the card lacks, and the countries that do not exist: `to_group=G6`. */
function unknownPlaces(clauses: readonly Clause[], groups: ReadonlySet<string>): string[] {
  return clauses.flat().flatMap((condition) => unknownPlace(condition, groups) ?? [])
}

function unknownPlace(condition: Condition, groups: ReadonlySet<string>): string | undefined {
  switch (condition.kind) {
    case 'group':
      return groups.has(condition.group) ? undefined : `${condition.end}_group=${condition.group}`
    case 'country':
      return isCountryCode(condition.country) ? undefined : `${condition.end}_country=${condition.country}`
    case 'always':
    case 'domestic':
    case 'international':
    case 'recipient':
    case 'area':
    case 'season':
    case 'stackable':
    case 'shipment-measure':
    case 'unit-measure':
      return undefined
  }
}

function checkAmount(
  row: SurchargeRow,
  index: number,
  money: CardIndex['money'],
  { fault, warn }: Reports,
): void {
  const { phase, method, amount, minimumCents, fuelable } = row
  if (phase === 'percent' && method !== 'pct' && method !== 'fuel') {
    const expected = 'method pct or fuel in the phase percent'
    fault('surcharges', 'method', { index, field: 'method', expected, found: method })
  }
  if (amount < 0) {
    const found = method === 'pct' ? percentText(amount) : money(amount)
    fault('surcharges', 'amount', { index, field: 'amount', expected: 'no amount below 0', found })
  }
  if (minimumCents < 0) {
    const found = money(minimumCents)
    fault('surcharges', 'minimum', { index, field: 'minimumCents', expected: 'no minimum below 0', found })
  }
  if (method === 'fuel' && phase !== 'percent')
    warn('surcharges', 'fuel phase', {
      index,
      field: 'phase',
      expected: 'fuel in the phase percent',
      found: phase,
    })
  if (fuelable && phase !== 'accessorial') {
    const expected = 'no, because fuel is charged on accessorials only'
    warn('surcharges', 'fuelable', { index, field: 'fuelable', expected, found: 'yes' })
  }
}

function checkValidity({ validFrom, validTo }: SurchargeRow, index: number, { fault }: Reports): void {
  if (validTo === undefined || validTo > validFrom) return
  const expected = `a day after ${validFrom}, its first day`
  fault('surcharges', 'validity', { index, field: 'validTo', expected, found: validTo })
}

type ListedSurcharge = { readonly row: SurchargeRow; readonly index: number }

/** Excluded codes must exist at the carrier, and must not form a circle. All rows of a code count as one surcharge. */
function checkExclusions(surcharges: readonly SurchargeRow[], reports: Reports): void {
  const listed = surcharges.map((row, index) => ({ row, index }))
  // checkSizes reports more. The search for circles is recursive.
  for (const surchargesOfCarrier of groupBy(listed, ({ row }) => row.carrierCode).values())
    if (surchargesOfCarrier.length <= CARD_LIMITS.surchargesOfCarrier)
      checkExclusionsOfCarrier(surchargesOfCarrier, reports)
}

function checkExclusionsOfCarrier(surcharges: readonly ListedSurcharge[], { fault }: Reports): void {
  const byCode = groupBy(surcharges, ({ row }) => row.code)
  for (const { row, index } of surcharges) {
    const { carrierCode, code, excludes } = row
    const unknown = excludes.filter((other) => !byCode.has(other))
    if (unknown.length > 0) {
      const expected = `codes of surcharges of ${carrierCode}`
      fault('surcharges', 'excludes', { index, field: 'excludes', expected, found: unknown.join(', ') })
    }
    if (excludes.includes(code)) {
      const expected = 'codes of other surcharges'
      fault('surcharges', 'itself', { index, field: 'excludes', expected, found: code })
    }
  }
  for (const circle of circlesOf(byCode)) {
    fault('surcharges', 'circle', {
      index: byCode.get(circle[0]!)![0]!.index,
      field: 'excludes',
      expected: 'no surcharges that exclude each other in a circle',
      found: [...circle, circle[0]].join(' excludes '),
    })
  }
}

/**
 * Circles of two or more codes, found by a depth-first search. At most one for each code that closes a circle, because
 * codes that all exclude each other form more circles than can be listed.
 */
function circlesOf(byCode: ReadonlyMap<string, readonly ListedSurcharge[]>): string[][] {
  const circles = new Map<string, string[]>()
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (code: string): void => {
    if (done.has(code) || circles.has(code)) return
    const at = trail.indexOf(code)
    if (at !== -1) {
      circles.set(code, trail.slice(at))
      return
    }
    trail.push(code)
    const excluded = new Set((byCode.get(code) ?? []).flatMap(({ row }) => row.excludes))
    for (const other of excluded) if (other !== code) visit(other)
    trail.pop()
    done.add(code)
  }
  for (const code of byCode.keys()) visit(code)
  return [...circles.values()]
}
