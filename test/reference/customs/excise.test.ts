/** Excise on real parcels by the shipped rates. Figures are calculated by hand from the published rates. */
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { estimateRequest, givenCode } from '../../../src/core/customs/estimate/estimate.ts'
import { lineLeastCents } from '../../../src/core/customs/estimate/explain/line.ts'
import type { ContentItem } from '../../../src/core/customs/request.ts'
import { readShippedCustomsData } from '../../../src/reference/customs.ts'

const rows = readShippedCustomsData()
const tables = compileCustoms(rows)

function exciseOn(to: string, code: string, item: Partial<ContentItem>, from = 'JP', date = '2026-11-21') {
  const goods = { description: 'goods', numberOfItems: 1, costSteps: 30_000_000, ...item }
  const request = { from: { country: from }, to: { country: to }, items: [goods] }
  return estimateRequest(tables, request, [givenCode(code)], date).taxes.filter(
    ({ kind }) => kind === 'EXCISE',
  )
}

const bottle = (litres: number, percent?: number): Partial<ContentItem> => ({
  quantities: [{ unit: 'l', amountMicros: litres * 1_000_000 }],
  ...(percent !== undefined && { alcoholPpm: percent * 10_000 }),
})
const sticks = (count: number): Partial<ContentItem> => ({
  quantities: [{ unit: 'sticks', amountMicros: count * 1_000_000 }],
})
const POUNDS = Number(
  rows.exchangeRates
    .filter(({ currency }) => currency === 'GBP')
    .sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0]?.unitsPerEuro,
)
const DOLLARS = Number(
  rows.exchangeRates
    .filter(({ currency }) => currency === 'USD')
    .sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))[0]?.unitsPerEuro,
)

describe('excise on a parcel from Japan', () => {
  test.each([
    // Whisky, 0.7 l with 40%: 0.28 l of pure alcohol.
    ['NL', '220830', bottle(0.7, 40), 0.28 * 18.27],
    ['DE', '220830', bottle(0.7, 40), 0.28 * 13.03],
    ['FR', '220830', bottle(0.7, 40), 0.28 * 19.3242 + 0.28 * 6.2047],
    ['BE', '220830', bottle(0.7, 40), 0.28 * 29.9279],
    ['IE', '220830', bottle(0.7, 40), 0.28 * 42.57],
    ['GB', '220830', bottle(0.7, 40), (0.28 * 33.99) / POUNDS],
    // 0.75 l are 0.1981290 gallons, and with 40% 0.1585032 proof gallons.
    ['US', '220830', bottle(0.75, 40), (0.1585032 * 13.5) / DOLLARS],
    // Wine, 0.75 l with 13%.
    ['NL', '220421', bottle(0.75, 13), 0.0075 * 95.69],
    ['DE', '220421', bottle(0.75, 13), 0],
    ['FR', '220421', bottle(0.75, 13), 0.0075 * 4.19],
    ['IE', '220421', bottle(0.75, 13), 0.0075 * 424.84],
    ['GB', '220421', bottle(0.75, 13), (0.0975 * 30.62) / POUNDS],
    ['US', '220421', bottle(0.75, 13), (0.198129 * 1.07) / DOLLARS],
    // Sparkling wine, 0.75 l with 12%.
    ['DE', '220410', bottle(0.75, 12), 0.0075 * 136],
    ['IE', '220410', bottle(0.75, 12), 0.0075 * 849.68],
    ['FR', '220410', bottle(0.75, 12), 0.0075 * 10.38],
    ['US', '220410', bottle(0.75, 12), (0.198129 * 3.4) / DOLLARS],
    // Port, 0.75 l with 20%.
    ['DE', '220421', bottle(0.75, 20), 0.0075 * 153],
    ['NL', '220421', bottle(0.75, 20), 0.0075 * 161.8],
    // Beer, 24 bottles of 0.33 l with 5%: 7.92 l.
    ['NL', '220300', bottle(7.92, 5), 0.0792 * 5 * 8.12],
    ['FR', '220300', bottle(7.92, 5), 0.0792 * 5 * 8.24],
    ['IE', '220300', bottle(7.92, 5), 0.0792 * 5 * 22.55],
    ['GB', '220300', bottle(7.92, 5), (0.396 * 22.58) / POUNDS],
    ['US', '220300', bottle(7.92, 5), ((7.92 / 117.347765) * 18) / DOLLARS],
    // 200 cigarettes. The share of the retail price is missing in GB, IE and DE; the minimum of GB and DE is higher.
    ['US', '240220', sticks(200), (0.2 * 50.33) / DOLLARS],
    ['GB', '240220', sticks(200), (0.2 * 446.67) / POUNDS],
    ['IE', '240220', sticks(200), 0.2 * 533.99],
    ['DE', '240220', sticks(200), 0.2 * 193.86],
    // 50 g of rolling tobacco, 10 ml of liquid for electronic cigarettes.
    ['GB', '240319', { weightGrams: 50 }, (0.05 * 574.3) / POUNDS],
    ['IE', '240319', { weightGrams: 50 }, 0.05 * 521.201],
    ['DE', '240412', { quantities: [{ unit: 'ml', amountMicros: 10_000_000 }] }, 10 * 0.32],
    ['IE', '240412', { quantities: [{ unit: 'l', amountMicros: 10_000 }] }, 0.01 * 500],
  ])('%s %s', (to, code, item, euro) => {
    const cents = exciseOn(to, code, item).reduce((sum, line) => sum + line.amountCents, 0)
    expect(Math.abs(cents - euro * 100)).toBeLessThan(1.01)
  })

  test('uses the tobacco rates of the United Kingdom by day', () => {
    const [before] = exciseOn('GB', '240210', { weightGrams: 1000 }, 'CU', '2026-09-30')
    const [after] = exciseOn('GB', '240210', { weightGrams: 1000 }, 'CU', '2026-10-01')
    expect(before?.amountCents).toBe(Math.round((440.93 / POUNDS) * 100))
    expect(after?.amountCents).toBe(Math.round((508.12 / POUNDS) * 100))
  })
  test('has a lower bound where only the minimum rates of the European Union are loaded', () => {
    const [line] = exciseOn('SE', '220830', bottle(0.7, 40))
    expect(line).toMatchObject({ amountCents: 0, computed: false })
    expect(line && lineLeastCents(line)).toBe(154)
  })
  test('is not due on perfume in the European Union', () => {
    expect(exciseOn('NL', '330300', {})).toEqual([])
  })
})

describe('excise rates', () => {
  test('belong to a tax', () => {
    const known = new Set(rows.taxes.filter(({ kind }) => kind === 'EXCISE').map(({ ratesOf }) => ratesOf))
    for (const { jurisdiction } of rows.exciseRates) expect(known.has(jurisdiction), jurisdiction).toBe(true)
  })
  test('that are low say where they come from', () => {
    for (const row of rows.exciseRates)
      if (row.confidence === 'low') expect(row.note, row.excise).not.toBe('')
  })
})
