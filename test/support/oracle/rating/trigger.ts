/**
 * Oracle for triggers: evaluates the text of a trigger directly.
 * Rules: docs/rate-card-files.md#triggers.
 */
import type { Parcel, RatesRequest } from '../../../../src/core/rating/request.ts'

/** The facts besides the unit: the request, and the route by the zone chart and area list of a product. */
export type OracleRoute = {
  readonly request: RatesRequest
  readonly date: string
  readonly fromGroup: string
  readonly toGroup: string
  readonly fromArea: string
  readonly toArea: string
}

/** True if a trigger (`clause & clause` of `condition | condition`) holds for a unit. */
export function triggerHolds(trigger: string, route: OracleRoute, unit: Parcel): boolean {
  return trigger.split('&').every((clause) => {
    let word = ''
    return clause
      .split('|')
      .map((part) => {
        // In "to_group=G6|G7" the second value belongs to the word before it.
        if (/^\w+=/.test(part)) word = part.slice(0, part.indexOf('='))
        else if (!/[<>]/.test(part) && !['always', 'domestic', 'international'].includes(part))
          return `${word}=${part}`
        return part
      })
      .some((condition) => conditionHolds(condition, route, unit))
  })
}

function conditionHolds(condition: string, route: OracleRoute, unit: Parcel): boolean {
  const { from, to, recipient } = route.request
  if (condition === 'always') return true
  if (condition === 'domestic') return from.country === to.country
  if (condition === 'international') return from.country !== to.country
  const [, word = '', operator = '', value = ''] = /^(\w+)(>=|<=|>|<|=)(.+)$/.exec(condition) ?? []
  if (operator !== '=') return compare(measureOf(word, route, unit), operator, thousandths(value))
  const choices: Readonly<Record<string, readonly string[]>> = {
    recipient: [recipient],
    area: [route.fromArea, route.toArea],
    from_area: [route.fromArea],
    to_area: [route.toArea],
    from_group: [route.fromGroup],
    to_group: [route.toGroup],
    from_country: [from.country],
    to_country: [to.country],
    stackable: route.request.parcelType === 'PALLET' ? [String(unit.stackable)] : [],
  }
  if (word === 'date') return inSeason(route.date.slice(5), value)
  const values = choices[word]
  if (values === undefined) throw new Error(`no such trigger: ${condition}`)
  return values.includes(value)
}

/** Both days are inclusive. A season whose last day is before its first runs over New Year. */
function inSeason(day: string, season: string): boolean {
  const [first = '', last = ''] = season.split('..')
  return first <= last ? first <= day && day <= last : day >= first || day <= last
}

function compare(value: number, operator: string, bound: number): boolean {
  if (operator === '>') return value > bound
  if (operator === '<') return value < bound
  if (operator === '>=') return value >= bound
  if (operator === '<=') return value <= bound
  throw new Error(`no such comparison: ${operator}`)
}

function thousandths(text: string): number {
  const [whole = '', fraction = ''] = text.split('.')
  return Number(whole) * 1000 + Number(fraction.padEnd(3, '0'))
}

/** A measure in thousandths of its unit. All measures of documents are 0. */
function measureOf(word: string, { request }: OracleRoute, unit: Parcel): number {
  const { lengthCm, widthCm, heightCm, weightGrams } = unit
  const sides = oracleSides(unit, request.parcelType === 'PALLET')
  switch (word) {
    case 'longest_cm':
      return sides[0] * 1000
    case 'second_cm':
      return sides[1] * 1000
    case 'girth_cm':
      return (sides[0] + 2 * (sides[1] + sides[2])) * 1000
    case 'height_cm':
      return heightCm * 1000
    case 'volume_l':
      return lengthCm * widthCm * heightCm
    case 'piece_kg':
      return weightGrams
    case 'pieces':
      return request.parcels.reduce((sum, { count }) => sum + count, 0) * 1000
    case 'shipment_kg':
      return request.parcels.reduce((sum, parcel) => sum + parcel.weightGrams * parcel.count, 0)
  }
  throw new Error(`no such measure: ${word}`)
}

/** Sides from longest to shortest. The height of a pallet is always the third. */
export function oracleSides(unit: Parcel, isPallet: boolean): [number, number, number] {
  const { lengthCm, widthCm, heightCm } = unit
  const down = (a: number, b: number): number => b - a
  if (isPallet) return [...[lengthCm, widthCm].sort(down), heightCm] as [number, number, number]
  return [lengthCm, widthCm, heightCm].sort(down) as [number, number, number]
}
