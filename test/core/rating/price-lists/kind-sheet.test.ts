// The 23 kinds of rules that most published price lists have, by the number of lists. Those that other files of this
// folder calculate are named there; the others are calculated here by hand, with the amounts of the lists.
//
//  1 currency                     here; currencies.test.ts
//  2 services                     here; column-sheet.test.ts, ../services.test.ts
//  3 shape and packaging          here; measure-sheet.test.ts
//  4 VAT by zone                  here; currencies.test.ts
//  5 size classes                 here; measure-sheet.test.ts
//  6 fuel by an index with a lag  ../fuel/fuel-table.test.ts
//  7 inches and pounds            here; measure-sheet.test.ts
//  8 discounts by weight and zone, minimum, turnover   here; ../contract-discounts.test.ts
//  9 smallest weights             here; measure-sheet.test.ts
// 10 amounts by zone              rule-sheet.test.ts
// 11 tiers by number              rule-sheet.test.ts
// 12 cover in steps or as a grid  here; column-sheet.test.ts, rule-sheet.test.ts
// 13 diagonal, smallest sides     rule-sheet.test.ts
// 14 weekdays and holidays        rule-sheet.test.ts
// 15 average weight, areas        here; rule-sheet.test.ts
// 16 maximum of a surcharge       rule-sheet.test.ts, column-sheet.test.ts
// 17 above a threshold            rule-sheet.test.ts
// 18 steps by weight, and again   column-sheet.test.ts
// 19 indexed amount per parcel    here; ../fuel/fuel-table.test.ts
// 20 number of limits, next band  here; rule-sheet.test.ts
// 21 freight class, loading metre here; freight-classes.test.ts
// 22 the account's volume         here
// 23 rounding, totals, documents  measure-sheet.test.ts, ../book/rounding-rules.test.ts
import { expect, test } from 'vitest'
import { withContracts } from '../../../../src/core/rating/book/rate-book.ts'
import { quote } from '../../../../src/core/rating/quote.ts'
import type { PriceTerms } from '../../../../src/core/rating/rate-card.ts'
import { csvFile } from '../../../../src/reference/import/table-file.ts'
import { readDiscountList } from '../../../../src/reference/rate-cards/discount-list-csv.ts'
import { exchangeRates } from '../../../support/rates/exchange-rates.ts'
import {
  EARLY_DAY,
  openPriceList,
  pallets,
  parcels,
  readPriceList,
  requestOf,
  route,
} from '../../../support/rates/price-list.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'

const { bill, refusal, findings } = openPriceList('kind-sheet')
const BOX = '40x30x20'
type Rows = Parameters<typeof route>[2]

const inland = (...rows: Rows) => route('NL', 'NL', rows)
const price = (productId: number, ...rows: Rows) => bill(productId, inland(...rows)).price
const lines = (productId: number, to: string, rows: Rows, more = {}, day = EARLY_DAY) =>
  bill(productId, route('NL', to, rows, more), day).lines.slice(1)

test('the list has no findings', () => {
  expect(findings).toEqual({ faults: [], warnings: [] })
})

test('1. DHL TW: TWD 800 for a remote area, or 17 per kg', () => {
  const { content, ...card } = readPriceList('kind-sheet')
  const terms: PriceTerms = { currency: 'TWD', vatIncluded: false, roundToCents: 1, rateDays: 7 }
  const book = bookOf({ ...card, content: { ...content, priceTerms: [terms] } })
  const rates = exchangeRates(['TWD', EARLY_DAY, '37.5'])
  const of = (kg: number) => {
    const request = requestOf(route('NL', 'ES 07001', [parcels(kg, BOX)]))
    const { options } = quote(book, request, EARLY_DAY, undefined, rates)
    const option = options.find(({ product }) => product.productId === 3101)
    return [option?.cardPrice?.totalCents, option?.priceCents]
  }
  expect(of(40)).toEqual([81_000, 2160]) // 10 + 800; 17 × 40 = 680. 810 / 37.5 = 21.60
  expect(of(60)).toEqual([103_000, 2747]) // 10 + 1,020. 1,030 / 37.5 = 27.4667
})

test('1. Swiss Post: CHF 9.00 up to 2 kg, with 8.1% of VAT', () => {
  const { content, ...card } = readPriceList('kind-sheet')
  const terms: PriceTerms = { currency: 'CHF', vatIncluded: true, roundToCents: 5, rateDays: 7 }
  const vatRates = [1, 2].map((zone) => ({ zoneChart: '', zone, rateBps: 810 }))
  const book = bookOf({ ...card, content: { ...content, priceTerms: [terms], vatRates } })
  const of = (kg: number) => {
    const rates = exchangeRates(['CHF', EARLY_DAY, '0.9156'])
    const { options } = quote(book, requestOf(inland(parcels(kg, BOX))), EARLY_DAY, undefined, rates)
    const option = options.find(({ product }) => product.productId === 3112)
    return [option?.cardPrice?.totalCents, option?.priceCents]
  }
  expect(of(2)).toEqual([900, 909]) // 9.00 / 1.081 / 0.9156 = 9.0930
  expect(of(2.1)).toEqual([1200, 1212]) // 12.1240
})

test('2. UPS Saturday 17.00 to nine countries, adult signature 5.75; Colissimo appointment 3.00; DPD DAP 10.00', () => {
  const of = (to: string, ...services: string[]) => lines(3105, to, [parcels(5, BOX)], { services })
  expect(of('ES', 'SATURDAY')).toMatchObject([[expect.anything(), '17.00']])
  expect(of('ES', 'ADULT_SIGNATURE', 'APPOINTMENT', 'DUTIES_PAID').map(([, euro]) => euro)).toEqual([
    ...['5.75', '3.00', '10.00'],
  ])
  const declined = (kg: number, to: string, service: string) =>
    refusal(3105, route('NL', to, [parcels(kg, BOX)], { services: [service] }))
  expect(declined(5, 'NL', 'DUTIES_PAID')).toEqual({ code: 'SERVICE_NOT_OFFERED' })
  expect(declined(5, 'PL', 'SATURDAY')).toEqual({ code: 'SERVICE_NOT_OFFERED' })
  const tailLift = { services: ['TAIL_LIFT'] }
  expect(lines(3105, 'NL', [parcels(750, BOX)], tailLift).map(([, euro]) => euro)).toEqual(['25.00'])
  expect(declined(750.1, 'NL', 'TAIL_LIFT')).toEqual({ code: 'SERVICE_NOT_OFFERED' })
})

test('3. DHL CN: 155 for 24 to 68 kg, or not a carton, or a cylinder; not with oversize', () => {
  const of = (kg: number, size: string, stated: object = {}) =>
    lines(3102, 'NL', [{ ...parcels(kg, size), ...stated }]).map(([, euro]) => euro)
  expect([of(23.9, BOX), of(24, BOX), of(68, BOX)]).toEqual([[], ['155.00'], ['155.00']])
  expect(of(5, BOX, { packaging: 'BOX' })).toEqual([])
  expect(of(5, BOX, { packaging: 'CRATE' })).toEqual(['155.00'])
  expect(of(5, BOX, { packaging: 'BOX', shape: 'TUBE' })).toEqual(['155.00'])
  expect(of(30, '121x20x20', { shape: 'TUBE' })).toEqual(['800.00'])
})

test('4. Correos: 11.28 with 7% IGIC within the Canaries is 10.54, and 19.85 to the mainland is without', () => {
  const { content, ...card } = readPriceList('kind-sheet')
  const terms: PriceTerms = { currency: 'EUR', vatIncluded: true, roundToCents: 1, rateDays: 7 }
  const vatRates = [
    { zoneChart: '', zone: 1, rateBps: 700 },
    { zoneChart: '', zone: 2, rateBps: 0 },
  ]
  const book = bookOf({ ...card, content: { ...content, priceTerms: [terms], vatRates } })
  const of = (to: string) => {
    const request = requestOf(route('NL', to, [parcels(3, BOX)]))
    const rates = exchangeRates()
    const { options } = quote(book, request, EARLY_DAY, undefined, rates)
    const option = options.find(({ product }) => product.productId === 3104)
    return [option?.priceCents, option?.cardPrice?.totalCents]
  }
  expect(of('NL')).toEqual([1054, 1128])
  expect(of('ES')).toEqual([1985, 1985])
})

test('5. Sagawa: sums of three sides of 60, 80, … 260 cm, and the larger of size and weight class', () => {
  const of = (kg: number, size: string) => price(3113, parcels(kg, size))
  expect([of(2, '20x20x20'), of(2, '21x20x20'), of(2.1, '20x20x20')]).toEqual(['5.00', '7.00', '7.00'])
  expect([of(20, '60x40x40'), of(20, '61x40x40'), of(20.1, '60x40x40')]).toEqual(['11.00', '13.00', '13.00'])
  expect([of(50, '60x50x50'), of(1, '160x50x50')]).toEqual(['15.00', '25.00'])
  expect(refusal(3113, inland(parcels(1, '161x50x50')))).toEqual({ code: 'OVER_SIZE' })
})

test('7. UPS: volume / 139 only above 1,728 cubic inches', () => {
  // 30 cm are 12 in, 33 cm are 13 in. 1,728 in³ would be 12.4 lb; 1,872 / 139 = 13.5. 1.00 per lb.
  expect(price(3103, parcels(2, '30x30x30'))).toBe('5.00') // 4.4 lb
  expect(price(3103, parcels(2, '33x30x30'))).toBe('14.00')
  expect(price(3103, parcels(7, '33x30x30'))).toBe('16.00') // 15.4 lb
})

test('8. UPS Ground: 1-5 lb 0%, 6-10 lb 10%, 11-20 lb 14.5%, 21-30 lb 16.5%, from 31 lb 18.5%', () => {
  // 1.00 per lb. The bounds of discounts are pounds in kilograms, rounded up to the gram.
  const text = `applies_to,zones,over_kg,up_to_kg,change_pct
freight,1,,2.268,0
freight,1,2.268,4.536,-10
freight,1,4.536,9.072,-14.5
freight,1,9.072,13.608,-16.5
freight,1,13.608,,-18.5
`
  const { rows, faults } = readDiscountList(csvFile('ground.csv', Buffer.from(text)))
  expect(faults).toEqual([])
  const contract = { accountId: 'acme', validFrom: '2026-01-01', minimumCents: 400, discounts: rows! }
  const book = withContracts(bookOf(readPriceList('kind-sheet')), [contract], [])
  const of = (pounds: number) => {
    const exactWeight = String(Math.floor(pounds * 453.59237) / 1000)
    const row = { type: 'NONDOC', count: 1, length: 10, width: 10, height: 10, exactWeight }
    const { options } = quote(book, requestOf(inland(row)), EARLY_DAY, 'acme')
    return options.find(({ product }) => product.productId === 3115)!.priceCents
  }
  // 11 × 0.855 = 9.405 and 21 × 0.835 = 17.535: half a cent of discount is rounded upwards.
  expect([5, 6, 10, 11].map(of)).toEqual([500, 540, 900, 941])
  expect([20, 21, 30, 31].map(of)).toEqual([1710, 1754, 2505, 2527])
  expect([1, 3, 4].map(of)).toEqual([400, 400, 400]) // the minimum net charge
})

test('9. 925 kg for each pallet place', () => {
  expect(price(3114, pallets(300, '120x80x100'))).toBe('92.50')
  expect(price(3114, pallets(300, '120x80x100', 2), pallets(300, '120x100x100'))).toBe('370.00')
  expect(price(3114, pallets(1000, '120x80x100'))).toBe('100.00')
})

test('12. a grid of weight and cover', () => {
  const of = (kg: number, totalValue: number) =>
    lines(3108, 'NL', [parcels(kg, BOX)], { insured: true, totalValue })[0]?.[1]
  expect([of(10, 1000), of(10.1, 1000), of(10, 1000.01)]).toEqual(['1.00', '2.00', '1.60'])
  expect([of(20, 5000), of(1, 9000), of(20, 9000)]).toEqual(['3.20', '3.50', '7.00'])
})

test('15. three classes of areas', () => {
  const of = (to: string) => lines(3109, to, [parcels(1, BOX)])[0]?.[1]
  expect(['ES 44001', 'ES 07001', 'ES 35001', 'ES 28001'].map(of)).toEqual([
    ...['20.00', '30.00', '45.00', '0.00'],
  ])
})

test('19. DPD: an energy surcharge in euro per parcel, which changes with the month', () => {
  const on = (day: string) => lines(3110, 'NL', [parcels(1, BOX, 3)], {}, day)[0]?.[1]
  expect(['2026-09-30', '2026-10-01'].map(on)).toEqual(['1.05', '1.23'])
})

test('20. Poste: the next weight bracket if the shape is not standard', () => {
  const of = (kg: number, shape: string) => price(3106, { ...parcels(kg, BOX), shape })
  expect([of(2, 'RECTANGULAR'), of(2, 'TUBE')]).toEqual(['5.00', '6.50'])
  expect([of(2.1, 'RECTANGULAR'), of(2.1, 'ROLL'), of(7, 'IRREGULAR')]).toEqual(['6.50', '8.00', '11.00'])
})

test('21. 1 EUR pallet is 0.4 loading metres, and the price is one per loading metre', () => {
  // 95.00 per metre, which counts as 1,000 kg: 400 kg at 9.50 per 100 kg.
  expect(price(3107, pallets(300, '120x80x100', 1, false))).toBe('38.00')
  expect(price(3107, pallets(300, '120x80x100', 5, false))).toBe('190.00')
})

test('22. FedEx: a peak charge of 1.55 to 8.75 by the volume of the account', () => {
  const row = { appliesTo: 'PEAK', overGrams: 0 }
  const contract = {
    ...{ accountId: 'acme', validFrom: '2026-01-01' },
    discounts: [
      { ...row, turnoverCents: 10_000_000, bps: 15_000 }, // 1.55 + 150% = 3.875
      { ...row, turnoverCents: 50_000_000, bps: 46_452 }, // 1.55 + 464.52% = 8.75006
    ],
  }
  const book = bookOf(readPriceList('kind-sheet'))
  const of = (euros: number) => {
    const turnovers = [{ accountId: 'acme', validFrom: '2026-01-01', turnoverCents: 100 * euros }]
    const agreed = withContracts(book, [contract], turnovers)
    const { options } = quote(agreed, requestOf(inland(parcels(1, BOX))), EARLY_DAY, 'acme')
    const option = options.find(({ product }) => product.productId === 3111)!
    return option.priceCents - 1000
  }
  expect([90_000, 100_000, 500_000].map(of)).toEqual([155, 388, 875])
})
