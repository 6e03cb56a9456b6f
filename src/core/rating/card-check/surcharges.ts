/**
 * The surcharges of a card: each known once a day, triggered by words of the vocabulary and places of the card,
 * with an amount that its phase and method allow. What they exclude is checked in exclusions.ts.
 */
import { euroText, percentText } from '../figure-text.ts'
import type { RateCardImport, SurchargeRow } from '../rate-card.ts'
import { compileTrigger } from '../trigger.ts'
import type { CardIndex } from './card-index.ts'
import { checkExclusions } from './exclusions.ts'
import { type Reports, reportDuplicates } from './findings.ts'
import { unknownPlaces } from './trigger-places.ts'

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
