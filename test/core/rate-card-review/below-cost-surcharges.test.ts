/** Surcharges that are bought for more than they are sold are found, whatever they depend on. */
import { expect, test } from 'vitest'
import { accountsWithTerms, findPricesBelowCost } from '../../../src/core/rate-card-review/cost/below-cost.ts'
import { compileRateBook } from '../../../src/core/rating/book/rate-book.ts'
import type { CardAudience } from '../../../src/core/rating/card-version.ts'
import type { MarginRow } from '../../../src/core/rating/margin.ts'
import type { RateCardContent, SurchargeRow } from '../../../src/core/rating/rate-card.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { compileRows } from '../../support/rates/rate-cards.ts'

const { content, carriers, capitals, fuel } = readDemoRateBook()
const DAY = '2026-10-20'

/** What is lost if the demo card is sold as `sold` and bought as `bought`. */
function lossesOf(
  bought: Partial<RateCardContent>,
  sold: Partial<RateCardContent> = {},
  margins: readonly MarginRow[] = [],
): ReturnType<typeof findPricesBelowCost> {
  const card = (code: string, audience: CardAudience, change: Partial<RateCardContent>) =>
    compileRows({ ...content, ...change, code, audience, versionNo: 1, validFrom: '2026-01-01' }, carriers)
  const cards = [card('list', 'everyone', sold), card('bought', 'cost', bought)]
  const sources = {
    revision: 1,
    since: '2000-01-01',
    carriers,
    capitals,
    fuel,
    cards,
    contracts: [],
    margins,
  }
  const book = compileRateBook(sources)
  return findPricesBelowCost({
    after: book,
    accounts: accountsWithTerms(book),
    days: [DAY],
    cells: [],
    exchangeRates: new Map(),
  })
}

const surchargesWith = (isChanged: (row: SurchargeRow) => boolean, change: Partial<SurchargeRow>) =>
  content.surcharges.map((row) => (isChanged(row) ? { ...row, ...change } : row))

const productsOf = (carrier: string) => content.products.filter(({ carrierCode }) => carrierCode === carrier)

const accessorials = content.surcharges.filter(({ phase }) => phase === 'accessorial')

test.each(
  accessorials.map((row) => [row.carrierCode, row.code, row] as const),
)('a surcharge that is bought for more is found: %s %s', (carrierCode, code, row) => {
  const products = productsOf(carrierCode)
  const surcharges = surchargesWith((other) => other === row, { amount: row.amount + 500, minimumCents: 0 })
  const { cells, uncovered, isComplete } = lossesOf({ surcharges, products }, { products })
  expect(cells.length).toBeGreaterThan(0)
  expect(new Set(cells.flatMap(({ surcharges = [] }) => surcharges))).toContain(code)
  for (const { productId } of cells) expect(products.map((terms) => terms.productId)).toContain(productId)
  expect([uncovered, isComplete]).toEqual([[], true])
})

const FLAT: Partial<SurchargeRow> = {
  phase: 'accessorial',
  method: 'flat',
  per: 'shipment',
  trigger: 'always',
}

/** A surcharge of rondeel that only the cost card has. */
function added(condition: string, change: Partial<SurchargeRow> = {}): Partial<RateCardContent> {
  const [row] = content.surcharges.filter(({ code }) => code === 'ISLAND_DOM')
  return {
    surcharges: [
      ...content.surcharges,
      { ...row!, ...FLAT, code: 'ADDED', amount: 9_000, condition, ...change },
    ],
  }
}

test.each([
  'to_area = REMOTE',
  'from_area = OVERSEAS and domestic',
  'to_country in (IE, GB) and recipient = individual',
  'zone = 3 and kg > 12 kg',
  'longest > 130 cm and second > 60 cm',
  'sum between 200 cm and 210 cm',
  'girth > 181 cm',
  'weekday = Sat',
  'date in easter - 2..easter',
  'value > 1000',
  'pieces >= 15',
  'shipment_kg > 100 kg and pieces > 3',
  'shape = TUBE',
  'service = SIGNATURE and to_country = FR',
])('a surcharge that is not sold is found: %s', (condition) => {
  const products = productsOf('rondeel')
  const { cells, uncovered } = lossesOf({ ...added(condition), products }, { products })
  expect(cells.flatMap(({ surcharges = [] }) => surcharges)).toContain('ADDED')
  expect(uncovered).toEqual([])
})

test('a surcharge is found in the only zone and weight band whose margin does not cover it', () => {
  const sold = content.prices.map((row) =>
    row.productId === 1201 && row.zone === 4 && row.upToGrams === 10_000
      ? { ...row, priceCents: row.priceCents + 100 }
      : { ...row, priceCents: row.priceCents + 5_000 },
  )
  const surcharges = surchargesWith(({ code }) => code === 'RESIDENTIAL', { amount: 400 })
  const products = productsOf('rondeel')
  expect(lossesOf({ surcharges, products }, { prices: sold, products })).toMatchObject({
    found: 1,
    cells: [{ productId: 1201, zone: 4, surcharges: ['RESIDENTIAL'] }],
  })
})

test('an area of the cost card alone is found, also of a single postal code', () => {
  const [areaList] = content.areas.map((row) => row.areaList)
  const areas = [
    ...content.areas,
    { areaList: areaList!, country: 'FR', from: '29242', areaClass: 'REMOTE' as const },
  ]
  const products = productsOf('rondeel')
  const bought = { areas, ...added('to_area = REMOTE'), products }
  const sold = { surcharges: bought.surcharges!, products }
  const { cells } = lossesOf(bought, sold)
  expect(cells.length).toBeGreaterThan(0)
  for (const { from, to } of cells) expect([from, to]).toContain('FR:29242')
})

test('a surcharge that no sample triggers is named', () => {
  const products = productsOf('rondeel')
  const bought = { ...added('longest > 90 m and kg < 0.002 kg', { products: [1202] }), products }
  const { uncovered, found } = lossesOf(bought, { products })
  expect([uncovered, found]).toEqual([[{ productId: 1202, code: 'ADDED' }], 0])
})

test('products that are sold at a margin do not lose by surcharges', () => {
  const surcharges = surchargesWith(({ code }) => code === 'RESIDENTIAL', { amount: 4_000 })
  const margins = [
    ...[{ validFrom: '2026-01-01', overGrams: 0, percentBps: 1_000, amountCents: 0, minimumCents: 0 }],
  ]
  const products = productsOf('rondeel')
  const sold = products.filter(({ productId }) => productId !== 1201)
  const { cells } = lossesOf({ surcharges, products }, { products: sold }, margins)
  expect(cells.length).toBeGreaterThan(0)
  expect(cells.filter(({ productId }) => productId === 1201)).toEqual([])
})
