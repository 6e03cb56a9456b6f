import { describe, expect, test } from 'vitest'
import { groupBy } from '../../../src/core/group-by.ts'
import {
  type CardDifference,
  isUnchanged,
  openCardComparison,
} from '../../../src/core/rate-card-review/difference/card-difference.ts'
import type { RowChange } from '../../../src/core/rate-card-review/difference/rows.ts'
import type { RateCardContent, RateCardImport } from '../../../src/core/rating/rate-card.ts'
import { readDemoRateBook } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { SMALL_CARD, withCopy, withoutRows, withRow, withTable } from '../../support/rates/small-card.ts'

/** Compares two whole cards. */
function compareRateCards(
  before: RateCardContent,
  after: RateCardContent,
  limit = Number.POSITIVE_INFINITY,
): CardDifference {
  const { addPrices, finish } = openCardComparison(before, after, limit)
  const [old, now] = [before, after].map(({ prices }) => groupBy(prices, ({ productId }) => productId))
  const productIds = new Set([...old!.keys(), ...now!.keys()])
  for (const productId of [...productIds].sort((a, b) => a - b))
    addPrices(old!.get(productId) ?? [], now!.get(productId) ?? [])
  return finish()
}

const compared = ({ content }: RateCardImport) => compareRateCards(SMALL_CARD.content, content)

type Case = readonly [card: RateCardImport, ...entries: RowChange[]]

test('writes amounts in the currency of each card', () => {
  const inPounds = withRow('priceTerms', 0, { currency: 'GBP' })
  const { currencies, entries } = compared(inPounds)
  expect(currencies).toEqual({ before: 'EUR', after: 'GBP' })
  expect(entries).toContainEqual({
    ...{ kind: 'changed', table: 'surcharges', key: 'ring TOLL from 2026-01-01', field: 'amount' },
    ...{ before: '0.21 EUR', after: '0.21 GBP' },
  })
})

describe('comparing tables', () => {
  const cases: Readonly<Record<keyof RateCardContent, Case>> = {
    products: [
      withRow('products', 0, {
        ...{ name: 'Plus', maxUnitGrams: undefined, maxLengthCm: 120, zones: [2, 1] },
        ...{ pickupDays: [1, 6], cutOffMinutes: 930 },
      }),
      { kind: 'changed', table: 'products', key: '1 Plus', field: 'name', before: 'Classic', after: 'Plus' },
      { kind: 'changed', table: 'products', key: '1 Plus', field: 'zones', before: '0 1 2', after: '1 2' },
      {
        ...{ kind: 'changed', table: 'products', key: '1 Plus', field: 'largest weight of a piece' },
        before: '31.5 kg',
      },
      { kind: 'changed', table: 'products', key: '1 Plus', field: 'largest length', after: '120 cm' },
      { kind: 'changed', table: 'products', key: '1 Plus', field: 'pick-up days', after: 'Mon Sat' },
      { kind: 'changed', table: 'products', key: '1 Plus', field: 'cut-off', after: '15:30' },
    ],
    countryGroups: [
      withRow(
        'countryGroups',
        2,
        { group: 'A' },
        withoutRows('countryGroups', (row) => 'city' in row),
      ),
      {
        ...{ kind: 'changed', table: 'countryGroups', key: 'ES 35000 to 35999', field: 'group' },
        ...{ before: 'B', after: 'A' },
      },
      { kind: 'removed', table: 'countryGroups', key: 'ES Las Palmas', before: 'group B' },
    ],
    lanes: [
      withCopy('lanes', 1, { zoneChart: 'air' }, withRow('lanes', 2, { zone: 1 })),
      { kind: 'changed', table: 'lanes', key: 'B to A', field: 'zone', before: '2', after: '1' },
      { kind: 'added', table: 'lanes', key: 'A to B, zone chart air', after: 'zone 1' },
    ],
    prices: [
      withCopy(
        'prices',
        0,
        { overGrams: 15_000, upToGrams: 20_000, stepGrams: 500, stepCents: 80 },
        withRow('prices', 8, { palletClass: 'WHOLE' }, withRow('prices', 3, { overGrams: 1000 })),
      ),
      {
        ...{ kind: 'added', table: 'prices', key: '1 Classic, zone 0, up to 20 kg' },
        after: '5.00 EUR and 0.80 EUR for each 0.5 kg more',
      },
      {
        ...{ kind: 'changed', table: 'prices', key: '1 Classic, zone 1, up to 5 kg', field: 'over' },
        ...{ before: '0 kg', after: '1 kg' },
      },
      { kind: 'added', table: 'prices', key: '2 Pallet, zone 0, pallet WHOLE', after: '99.00 EUR' },
      { kind: 'removed', table: 'prices', key: '2 Pallet, zone 0, pallet FULL', before: '99.00 EUR' },
    ],
    palletClasses: [
      withRow('palletClasses', 1, { maxGrams: 1_000_000 }),
      {
        ...{ kind: 'changed', table: 'palletClasses', key: 'dok FULL, 120 x 100 cm' },
        ...{ field: 'largest weight', before: '1200 kg', after: '1000 kg' },
      },
    ],
    sizeClasses: [
      withTable('sizeClasses', () => [
        { carrierCode: 'ring', sizeClass: 'S', condition: 'sum <= 60 cm', products: [1] },
        { carrierCode: 'ring', sizeClass: 'M', condition: 'sum <= 90 cm' },
      ]),
      {
        ...{ kind: 'added', table: 'sizeClasses', key: 'ring S of 1' },
        after: 'order 1, condition sum <= 60 cm',
      },
      { kind: 'added', table: 'sizeClasses', key: 'ring M', after: 'order 2, condition sum <= 90 cm' },
    ],
    minimumWeights: [
      withRow('minimumWeights', 0, { condition: undefined, weight: '600 kg' }),
      {
        ...{ kind: 'changed', table: 'minimumWeights', key: 'dok Long pallet', field: 'condition' },
        before: 'longest > 300 cm',
      },
      {
        ...{ kind: 'changed', table: 'minimumWeights', key: 'dok Long pallet', field: 'smallest weight' },
        ...{ before: '500 kg', after: '600 kg' },
      },
    ],
    areas: [
      withRow('areas', 2, { areaClass: 'REMOTE' }),
      {
        ...{ kind: 'changed', table: 'areas', key: 'GR Rhodes', field: 'area' },
        ...{ before: 'ISLAND', after: 'REMOTE' },
      },
    ],
    areaTransit: [
      withRow('areaTransit', 0, { extraMaxDays: 1 }),
      {
        ...{ kind: 'changed', table: 'areaTransit', key: 'all carriers, REMOTE', field: 'extra time' },
        ...{ before: '1 to 2 days', after: '1 day' },
      },
    ],
    surcharges: [
      withRow('surcharges', 3, { method: 'pct', minimumCents: 100, maximumCents: 250, excludes: ['LONG'] }),
      {
        ...{ kind: 'changed', table: 'surcharges', key: 'ring TOLL from 2026-01-01', field: 'amount' },
        ...{ before: '0.21 EUR', after: '0.21%' },
      },
      {
        ...{ kind: 'changed', table: 'surcharges', key: 'ring TOLL from 2026-01-01', field: 'minimum' },
        after: '1.00 EUR',
      },
      {
        ...{ kind: 'changed', table: 'surcharges', key: 'ring TOLL from 2026-01-01', field: 'maximum' },
        after: '2.50 EUR',
      },
      {
        ...{ kind: 'changed', table: 'surcharges', key: 'ring TOLL from 2026-01-01', field: 'excludes' },
        after: 'LONG',
      },
    ],
    services: [
      withRow(
        'services',
        2,
        { maxUnitGrams: undefined, zones: [2, 1], formula: '5', excludes: ['SATURDAY'] },
        withoutRows('services', (row) => row.service === 'SATURDAY'),
      ),
      {
        ...{ kind: 'removed', table: 'services', key: 'ring SATURDAY' },
        before:
          'order 1, name Saturday, amount 12.00 EUR, per shipment, fuelable no, to NL, requires SIGNATURE',
      },
    ],
    insurance: [
      withRow('insurance', 0, { rateBps: 60 }),
      {
        ...{ kind: 'changed', table: 'insurance', key: 'ring', field: 'rate' },
        ...{ before: '0.55%', after: '0.6%' },
      },
    ],
    insuranceBands: [
      withRow('insuranceBands', 1, { priceCents: 600, valueStepCents: undefined, stepPriceCents: undefined }),
      {
        ...{ kind: 'changed', table: 'insuranceBands', key: 'dok, value up to 5000.00', field: 'premium' },
        ...{ before: '5.00 EUR', after: '6.00 EUR' },
      },
      {
        ...{ kind: 'changed', table: 'insuranceBands', key: 'dok, value up to 5000.00', field: 'step' },
        before: '500.00 EUR',
      },
      {
        ...{ kind: 'changed', table: 'insuranceBands', key: 'dok, value up to 5000.00', field: 'step price' },
        before: '3.50 EUR',
      },
    ],
    transit: [
      withRow('transit', 1, { maxDays: 2 }),
      {
        ...{ kind: 'changed', table: 'transit', key: '1 Classic, zone 1', field: 'transit time' },
        ...{ before: '2 to 3 days', after: '2 days' },
      },
    ],
    laneTransit: [
      withTable('laneTransit', () => []),
      { kind: 'removed', table: 'laneTransit', key: '1 Classic, A to B', before: 'transit time 2 days' },
    ],
    priceTerms: [
      withRow('priceTerms', 0, { vatIncluded: true, rateDays: 31 }),
      {
        ...{ kind: 'changed', table: 'priceTerms', key: 'all amounts', field: 'VAT included' },
        ...{ before: 'no', after: 'yes' },
      },
      {
        ...{ kind: 'changed', table: 'priceTerms', key: 'all amounts', field: 'age of the exchange rate' },
        ...{ before: '7 days', after: '31 days' },
      },
    ],
    vatRates: [
      withRow('vatRates', 0, { rateBps: 1900 }),
      { kind: 'changed', table: 'vatRates', key: 'zone 0', field: 'VAT', before: '21%', after: '19%' },
    ],
  }

  test.each(Object.entries(cases))('%s: reports added, removed and changed rows', (_table, [
    card,
    ...entries
  ]) => {
    expect(compared(card).entries).toEqual(entries)
  })

  test.each(Object.entries(cases))('%s: counts rows', (table, [card, ...entries]) => {
    const rows = (kind: RowChange['kind']) =>
      new Set(entries.filter((entry) => entry.kind === kind).map(({ key }) => key)).size
    const { tables } = compared(card)
    expect(tables[table as keyof RateCardContent]).toEqual({
      ...{ added: rows('added'), removed: rows('removed'), changed: rows('changed') },
    })
  })
})

test('reports another order of the rows of a service, because the first one that fits applies', () => {
  const signature = SMALL_CARD.content.services.find(({ service }) => service === 'SIGNATURE')!
  const ofOne = { ...signature, amount: 300, products: [1] }
  const inOrder = (...rows: RateCardContent['services']) => withTable('services', () => rows).content
  const [narrowFirst, wideFirst] = [inOrder(ofOne, signature), inOrder(signature, ofOne)]
  const difference = compareRateCards(narrowFirst, wideFirst)
  expect(isUnchanged(difference)).toBe(false)
  const changed = { kind: 'changed', table: 'services', field: 'order' }
  expect(difference.entries).toEqual([
    { ...changed, key: 'ring SIGNATURE', before: '2', after: '1' },
    { ...changed, key: 'ring SIGNATURE of 1', before: '1', after: '2' },
  ])
  expect(isUnchanged(compareRateCards(narrowFirst, narrowFirst))).toBe(true)
})

describe('comparing prices', () => {
  const moved = (cents: Readonly<Record<number, number>>) =>
    withTable('prices', (rows) =>
      rows.map((row, at) => ({ ...row, priceCents: cents[at] ?? row.priceCents })),
    )

  test('lists changes by percentage, then by amount, largest first', () => {
    const { prices, entries, tables } = compared(moved({ 0: 525, 1: 630, 3: 720, 7: 6161, 10: 5500 }))
    expect(prices.changes).toEqual([
      {
        ...{ productId: 3, productName: 'Groupage', zone: 0, band: 'up to 100 kg, per 100 kg' },
        ...{ beforeCents: 5000, afterCents: 5500, changeBps: 1000 },
      },
      {
        ...{ productId: 1, productName: 'Classic', zone: 1, band: 'up to 5 kg' },
        ...{ beforeCents: 800, afterCents: 720, changeBps: -1000 },
      },
      {
        ...{ productId: 1, productName: 'Classic', zone: 0, band: 'up to 10 kg' },
        ...{ beforeCents: 600, afterCents: 630, changeBps: 500 },
      },
      {
        ...{ productId: 1, productName: 'Classic', zone: 0, band: 'up to 5 kg' },
        ...{ beforeCents: 500, afterCents: 525, changeBps: 500 },
      },
      {
        ...{ productId: 2, productName: 'Pallet', zone: 0, band: 'pallet HALF' },
        ...{ beforeCents: 6100, afterCents: 6161, changeBps: 100 },
      },
    ])
    expect(entries).toEqual([])
    expect(tables.prices).toEqual({ added: 0, removed: 0, changed: 5 })
    // (1000 - 1000 + 500 + 500 + 100) / 12 = 91.67
    const totals = { up: 4, down: 1, unchanged: 7, added: 0, removed: 0, meanChangeBps: 92 }
    expect(prices.totals).toEqual(totals)
  })

  test('rounds the mean half up, also below zero', () => {
    // Over twelve prices: -600 / 12 and (-600 + 556) / 12 = -3.67 basis points.
    expect(compared(moved({ 0: 470 })).prices.totals.meanChangeBps).toBe(-50)
    expect(compared(moved({ 0: 470, 4: 950 })).prices.totals.meanChangeBps).toBe(-4)
    // 30 / 12 = 2.5 and -30 / 12 = -2.5.
    const cheap = withRow('prices', 11, { priceCents: 10_000 })
    const dearer = (cents: number) => withRow('prices', 11, { priceCents: cents })
    const mean = (cents: number) => compareRateCards(cheap.content, dearer(cents).content).prices.totals
    expect(mean(10_030).meanChangeBps).toBe(3)
    expect(mean(9_970).meanChangeBps).toBe(-2)
  })

  test('lists the largest changes and counts all, however many there are', () => {
    const zones = Array.from({ length: 25_000 }, (_, zone) => zone)
    const row = SMALL_CARD.content.prices[0]!
    const priced = (centsOf: (zone: number) => number): RateCardContent => ({
      ...SMALL_CARD.content,
      prices: zones.map((zone) => ({ ...row, zone, priceCents: centsOf(zone) })),
    })
    // Most changes are equal, and the largest ones are at the end and in the middle.
    const largest = new Map([
      [24_999, 1900],
      [12_500, 100],
      [12_501, 1900],
    ])
    const [before, after] = [priced(() => 1000), priced((zone) => largest.get(zone) ?? 1010)]
    const { prices, entries, entryCount } = compareRateCards(before, after, 4)
    expect(prices.changes.map(({ zone, changeBps }) => [zone, changeBps])).toEqual([
      [12_500, -9000],
      [12_501, 9000],
      [24_999, 9000],
      [0, 100],
    ])
    expect(prices.changeCount).toBe(25_000)
    expect({ entries, entryCount }).toEqual({ entries: [], entryCount: 0 })
    expect(prices.changes).toEqual(compareRateCards(before, after).prices.changes.slice(0, 4))
    const none = compareRateCards(before, { ...after, prices: [] }, 4)
    expect(none.entries).toEqual(compareRateCards(before, { ...after, prices: [] }).entries.slice(0, 4))
    expect(none.entryCount).toBe(25_000)
  })

  test('lists changes from 0 first, and leaves them out of the mean', () => {
    const free = moved({ 1: 0 }).content
    const { prices } = compareRateCards(free, moved({ 0: 1000 }).content)
    expect(prices.changes.map(({ band, changeBps }) => [band, changeBps])).toEqual([
      ['up to 10 kg', undefined],
      ['up to 5 kg', 10_000],
    ])
    expect(prices.totals).toMatchObject({ up: 2, meanChangeBps: 909 })
  })

  test('lists a change of the step price separately', () => {
    const stepped = (stepCents: number) => withRow('prices', 2, { stepGrams: 1000, stepCents })
    const { prices, tables, entries } = compareRateCards(stepped(50).content, stepped(60).content)
    expect(prices.changes).toEqual([
      {
        ...{ productId: 1, productName: 'Classic', zone: 0, band: 'up to 15 kg, each 1 kg more' },
        ...{ beforeCents: 50, afterCents: 60, changeBps: 2000 },
      },
    ])
    expect(prices.totals).toMatchObject({ up: 1, down: 0, unchanged: 11, meanChangeBps: 167 })
    expect(tables.prices.changed).toBe(1)
    expect(entries).toEqual([])
  })

  test('reports other steps as a change of the row', () => {
    expect(compared(withRow('prices', 2, { stepGrams: 1000, stepCents: 50 }))).toMatchObject({
      entries: [{ field: 'step', after: '0.50 EUR for each 1 kg more' }],
      prices: { changes: [], totals: { unchanged: 12 } },
      tables: { prices: { changed: 1 } },
    })
  })

  test('reports an added or removed zone as one entry, and counts its prices', () => {
    const difference = compared(
      withTable('prices', (rows) =>
        rows.map((row) => (row.productId === 1 && row.zone === 0 ? { ...row, zone: 7 } : row)),
      ),
    )
    expect(difference.entries).toEqual([
      { kind: 'removed', table: 'prices', key: '1 Classic, zone 0', before: '3 prices' },
      { kind: 'added', table: 'prices', key: '1 Classic, zone 7', after: '3 prices' },
    ])
    expect(difference.tables.prices).toEqual({ added: 3, removed: 3, changed: 0 })
    expect(difference.prices.totals).toMatchObject({ added: 3, removed: 3, unchanged: 9 })
  })
})

describe('for any cards', () => {
  const cards: readonly RateCardContent[] = [
    SMALL_CARD.content,
    readDemoRateBook().content,
    withCopy('palletClasses', 0, { maxHeightCm: 100 }).content,
    withoutRows('prices', ({ zone }) => zone === 0).content,
    withRow('prices', 4, { upToGrams: 12_000 }).content,
  ]

  test('a card equals itself, in any order of its bands', () => {
    for (const card of cards) {
      expect(isUnchanged(compareRateCards(card, structuredClone(card)))).toBe(true)
      expect(isUnchanged(compareRateCards(card, { ...card, prices: card.prices.toReversed() }))).toBe(true)
    }
  })

  test('the reverse comparison swaps added and removed rows', () => {
    for (const before of cards)
      for (const after of cards) {
        const there = compareRateCards(before, after)
        const back = compareRateCards(after, before)
        expect(isUnchanged(there)).toBe(before === after)
        for (const [table, { added, removed, changed }] of Object.entries(there.tables))
          expect(back.tables[table as keyof RateCardContent]).toEqual({
            ...{ added: removed, removed: added, changed },
          })
        const { up, down, unchanged, added, removed } = there.prices.totals
        expect(back.prices.totals).toMatchObject({ ...{ up: down, down: up, unchanged } })
        expect(back.prices.totals).toMatchObject({ ...{ added: removed, removed: added } })
      }
  })

  test('a change of any field is reported', () => {
    const other = (field: string, value: unknown): unknown => {
      if (field === 'unit') return value === 'KG' ? 'PER100KG' : 'KG'
      if (typeof value === 'number') return value + 1
      if (typeof value === 'boolean') return !value
      return Array.isArray(value) ? [...value, value[0] ?? 'X'] : `${value}X`
    }
    for (const name of Object.keys(SMALL_CARD.content) as (keyof RateCardContent)[])
      SMALL_CARD.content[name].forEach((row, index) => {
        for (const [field, value] of Object.entries(row)) {
          // The amounts of fuel surcharges and formulas, and the bounds of a pallet class are unused.
          const isPriced = !('method' in row) || (row.method !== 'fuel' && row.method !== 'formula')
          if (field === 'amount' && !isPriced) continue
          if (field === 'upToGrams' && 'unit' in row && row.unit === 'PALLET') continue
          const changed = withRow(name, index, { [field]: other(field, value) })
          expect(isUnchanged(compared(changed)), `${name} ${field}`).toBe(false)
        }
      })
  })
})

test('changes of places are summarised by class and country', () => {
  const range = (code: number) => ({
    ...{ areaList: '', country: 'ES', from: `${code}`, to: `${code}` },
    areaClass: 'REMOTE' as const,
  })
  const before = withTable('areas', (rows) => [...rows, range(10_001), range(10_002)])
  const after = withTable('areas', (rows) => [
    ...rows,
    ...Array.from({ length: 40 }, (_, row) => range(10_002 + row)),
    { ...range(10_001), areaClass: 'ISLAND' as const },
  ])
  expect(compareRateCards(before.content, after.content).places).toEqual([
    { table: 'areas', value: 'REMOTE', country: 'ES', added: 39, removed: 1 },
    { table: 'areas', value: 'ISLAND', country: 'ES', added: 1, removed: 0 },
  ])
  expect(compareRateCards(before.content, before.content).places).toEqual([])
})
