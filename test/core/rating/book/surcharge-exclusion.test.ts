/** The work for surcharges that exclude each other, counted; and the rows that they are charged for. */
import { describe, expect, test } from 'vitest'
import { quote } from '../../../../src/core/rating/quote.ts'
import type { SurchargeRow } from '../../../../src/core/rating/rate-card.ts'
import type { Parcel, RatesRequest } from '../../../../src/core/rating/request.ts'
import { countedSurcharges } from '../../../support/oracle/rating/charges.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'
import { SMALL_CARD, withTable } from '../../../support/rates/small-card.ts'

const DAY = '2026-10-20'

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `S${index}`)

const surcharge = (code: string, fields: Partial<SurchargeRow> = {}): SurchargeRow => ({
  ...SMALL_CARD.content.surcharges[3]!,
  ...{ code, name: code, phase: 'accessorial', trigger: 'piece_kg>1', products: [1] },
  ...fields,
})

/** Each of these surcharges excludes all that follow it. */
const eachExcludesTheRest = (count: number): SurchargeRow[] =>
  names(count).map((code, index, all) => surcharge(code, { excludes: all.slice(index + 1) }))

const bookWith = (rows: readonly SurchargeRow[]) => bookOf(withTable('surcharges', () => [...rows]))

const parcelOf = (weightGrams: number): Parcel => ({
  ...{ count: 1, weightGrams, lengthCm: 40, widthCm: 30, heightCm: 20, stackable: false },
})

const requestWith = (parcels: readonly Parcel[]): RatesRequest => ({
  ...{ from: { country: 'NL' }, to: { country: 'NL' }, parcelType: 'NONDOC', parcels, recipient: 'business' },
})

/** The names of the surcharges that are charged, with their amounts. */
function charged(rows: readonly SurchargeRow[], parcels: readonly Parcel[]): Record<string, number> {
  const option = quote(bookWith(rows), requestWith(parcels), DAY).options.find(
    ({ product }) => product.productId === 1,
  )
  const lines = option?.lines.filter(({ cause }) => cause.kind === 'surcharge') ?? []
  return Object.fromEntries(lines.map(({ item, amountCents }) => [item, amountCents]))
}

/** How often a quote reads the weights of two parcel rows. Each test of a trigger reads one. */
function countReads(surcharges: number): number {
  let reads = 0
  const parcels = [5000, 6000].map((grams) =>
    Object.defineProperty(parcelOf(grams), 'weightGrams', {
      get: () => {
        reads++
        return grams
      },
    }),
  )
  const book = bookWith(eachExcludesTheRest(surcharges))
  reads = 0
  quote(book, requestWith(parcels), DAY)
  return reads
}

describe('surcharges that exclude each other', () => {
  test('are each tested once for each parcel row', () => {
    expect(countReads(18) - countReads(6)).toBe(12 * 2)
  })

  test('can be as many as a product may have', () => {
    expect(charged(eachExcludesTheRest(500), [parcelOf(5000)])).toEqual({ S0: 21 })
  })

  test('are charged for the same rows as in the oracle, however densely they exclude each other', () => {
    const dice = diceOf(1)
    const seen = new Set<number>()
    for (let round = 0; round < 300; round++) {
      const codes = names(8)
      const rows = codes.map((code, index) =>
        surcharge(code, {
          excludes: codes.slice(index + 1).filter(() => dice.chance(0.5)),
          trigger: dice.chance(0.2) ? 'always' : `piece_kg${dice.pick(['>', '<'])}${dice.int(1, 9)}`,
          per: dice.chance(0.3) ? 'shipment' : 'unit',
          phase: dice.chance(0.3) ? 'fixed' : 'accessorial',
        }),
      )
      const parcels = [2, 4, 6, 8].map((kilograms) => parcelOf(kilograms * 1000))
      const request = requestWith(parcels)
      const route = { request, date: DAY, fromGroup: 'A', toGroup: 'A', fromArea: 'NORMAL', toArea: 'NORMAL' }
      const expected = countedSurcharges(rows, route).map(({ surcharge: { code, per }, units }) => [
        code,
        21 * (per === 'unit' ? units.length : 1),
      ])
      expect(charged(rows, parcels), `round ${round}`).toEqual(Object.fromEntries(expected))
      seen.add(expected.length)
    }
    expect(seen.size).toBeGreaterThan(3)
  })

  test('are refused if they do so in a circle', () => {
    const codes = names(30)
    const circle = codes.map((code) => surcharge(code, { excludes: codes.filter((other) => other !== code) }))
    expect(() => bookWith(circle)).toThrow('surcharges exclude each other in a circle: S0, S1, S0')
  })
})
