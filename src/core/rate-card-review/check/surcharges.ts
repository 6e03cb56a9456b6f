/**
 * The surcharges of a card: each known once a day, triggered by words of the vocabulary and places of the card,
 * with an amount that its phase and method allow. What they exclude is checked in exclusions.ts.
 */

import { groupBy } from '../../group-by.ts'
import { isCountryCode } from '../../place.ts'
import { compileTrigger } from '../../rating/book/trigger.ts'
import { euroText, percentText } from '../../rating/explain/figure-text.ts'
import type { RateCardImport, SurchargeRow } from '../../rating/rate-card.ts'
import type { CardIndex } from './card-index.ts'
import { type Reports, reportDuplicates } from './findings.ts'

/** Checks surcharges. A percentage that is missing in the fuel table of the card may be known already. */
export function checkSurcharges({ content, fuel }: RateCardImport, index: CardIndex, reports: Reports): void {
  const { surcharges } = content
  const groups = new Set([...index.charts.values()].flatMap((chart) => [...chart.groups]))
  const rated = new Set(fuel.map(({ carrierCode, code }) => JSON.stringify([carrierCode, code])))
  surcharges.forEach((row, at) => {
    checkTrigger(row, at, groups, reports)
    checkAmount(row, at, reports)
    checkProducts(row, at, index, reports)
    checkValidity(row, at, reports)
    if (row.code.includes('|')) {
      const expected = 'a code without |, which parts codes in excludes'
      reports.fault('surcharges', 'code', { index: at, field: 'code', expected, found: row.code })
    }
    const { carrierCode, code, method } = row
    const key = JSON.stringify([carrierCode, code])
    if (method !== 'fuel' || rated.has(key)) return
    rated.add(key)
    const expected = `a percentage of ${carrierCode} ${code} in the fuel table, unless it is there already`
    reports.warn('surcharges', 'no rate', { index: at, field: 'method', expected })
  })
  reportDuplicates(
    reports.fault,
    'surcharges',
    surcharges,
    ({ carrierCode, code, validFrom }) => `${carrierCode} ${code} from ${validFrom}`,
    'one row for each code of a carrier and day it begins',
  )
  checkExclusions(surcharges, reports)
}

function checkTrigger(
  { trigger }: SurchargeRow,
  index: number,
  groups: ReadonlySet<string>,
  { fault }: Reports,
): void {
  try {
    compileTrigger(trigger)
  } catch (error) {
    const found = `${trigger} (${error instanceof Error ? error.message : String(error)})`
    fault('surcharges', 'trigger', {
      index,
      field: 'trigger',
      expected: 'conditions of the trigger vocabulary',
      found,
    })
    return
  }
  const unknown = unknownPlaces(trigger, groups)
  if (unknown.length === 0) return
  const expected = 'groups that a zone chart of the card has, and ISO 3166-1 country codes'
  fault('surcharges', 'place', { index, field: 'trigger', expected, found: unknown.join(', ') })
}

function checkAmount(row: SurchargeRow, index: number, { fault, warn }: Reports): void {
  const { phase, method, amount, minimumCents, fuelable } = row
  if (phase === 'percent' && (method === 'flat' || method === 'per_kg')) {
    const expected = 'method pct or fuel in the phase percent'
    fault('surcharges', 'method', { index, field: 'method', expected, found: method })
  }
  if (amount < 0) {
    const found = method === 'pct' ? percentText(amount) : euroText(amount)
    fault('surcharges', 'amount', { index, field: 'amount', expected: 'no amount below 0', found })
  }
  if (minimumCents < 0) {
    const found = euroText(minimumCents)
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
    const expected = 'no: fuel is charged on accessorials only'
    warn('surcharges', 'fuelable', { index, field: 'fuelable', expected, found: 'yes' })
  }
  if (method === 'flat' && minimumCents > 0) {
    const expected = 'none: a flat amount has no minimum'
    warn('surcharges', 'flat minimum', {
      index,
      field: 'minimumCents',
      expected,
      found: euroText(minimumCents),
    })
  }
}

function checkProducts(
  { carrierCode, products = [] }: SurchargeRow,
  index: number,
  card: CardIndex,
  { fault }: Reports,
): void {
  const others = products.filter((id) => card.products.get(id)?.carrierCode !== carrierCode)
  // A carrier without any product is said where carriers are checked.
  if (others.length === 0 || !card.sellers.has(carrierCode)) return
  const expected = `products of ${carrierCode} in the card`
  fault('surcharges', 'products', { index, field: 'products', expected, found: others.join(', ') })
}

function checkValidity({ validFrom, validTo }: SurchargeRow, index: number, { fault }: Reports): void {
  if (validTo === undefined || validTo > validFrom) return
  const expected = `a day after ${validFrom}, when it begins`
  fault('surcharges', 'validity', { index, field: 'validTo', expected, found: validTo })
}

// Which surcharges take the place of others: each names codes of its carrier, never itself, and never in a
// circle, since then none would be charged first.

type ListedSurcharge = { readonly row: SurchargeRow; readonly index: number }

/** Checks what surcharges exclude, carrier by carrier. All rows of one code are taken together. */
export function checkExclusions(surcharges: readonly SurchargeRow[], reports: Reports): void {
  const listed = surcharges.map((row, index) => ({ row, index }))
  for (const own of groupBy(listed, ({ row }) => row.carrierCode).values()) checkCarrier(own, reports)
}

function checkCarrier(own: readonly ListedSurcharge[], { fault }: Reports): void {
  const byCode = groupBy(own, ({ row }) => row.code)
  for (const { row, index } of own) {
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

/** Circles of two codes or more, as a walk that visits each code once comes upon them. */
function circlesOf(byCode: ReadonlyMap<string, readonly ListedSurcharge[]>): string[][] {
  const circles: string[][] = []
  const done = new Set<string>()
  const trail: string[] = []
  const visit = (code: string): void => {
    const at = trail.indexOf(code)
    if (at !== -1) {
      circles.push(trail.slice(at))
      return
    }
    if (done.has(code)) return
    trail.push(code)
    const excluded = new Set((byCode.get(code) ?? []).flatMap(({ row }) => row.excludes))
    for (const other of excluded) if (other !== code) visit(other)
    trail.pop()
    done.add(code)
  }
  for (const code of byCode.keys()) visit(code)
  return circles
}

// The groups and countries that a surcharge's trigger names: trigger.ts knows how to ask for them, but not
// whether the card has them.

const CONDITION = /^\s*([a-z_]+)\s*(?:[<>]=?|(=))(.*)$/s
const FLAG = /^\s*(always|domestic|international)\s*$/

/** The groups a sound trigger names that `groups` lacks, and its countries that do not exist: `to_group=G6`. */
export function unknownPlaces(trigger: string, groups: ReadonlySet<string>): string[] {
  return trigger.split('&').flatMap((clause) => {
    let field = ''
    return clause.split('|').flatMap((token) => {
      const [condition, name = '', equals, rest = token] = CONDITION.exec(token) ?? []
      // A word without an operator is one more value of the condition before it.
      if (condition !== undefined) field = equals === undefined ? '' : name
      else if (FLAG.test(token)) field = ''
      const value = rest.trim()
      return isUnknown(field, value, groups) ? [`${field}=${value}`] : []
    })
  })
}

function isUnknown(field: string, value: string, groups: ReadonlySet<string>): boolean {
  if (field === 'from_group' || field === 'to_group') return !groups.has(value)
  return (field === 'from_country' || field === 'to_country') && !isCountryCode(value)
}
