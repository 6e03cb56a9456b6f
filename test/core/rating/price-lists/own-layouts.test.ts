// Lists as carriers publish them, imported with a layout each, and prices calculated by hand from the lists: sizes,
// pallet classes, zones by name with weight bands as columns, and rates per 100 kg whose rows continue the zone above.
import { describe, expect, test } from 'vitest'
import { checkRateCard } from '../../../../src/core/rate-card-review/check/card-check.ts'
import { quote } from '../../../../src/core/rating/quote.ts'
import { csvFile } from '../../../../src/reference/import/table-file.ts'
import { inLayout, readPriceLayout } from '../../../../src/reference/rate-cards/price-layout.ts'
import { readPriceList, withPrices } from '../../../../src/reference/rate-cards/price-list-csv.ts'
import {
  billOf,
  EARLY_DAY,
  pallets,
  parcels,
  readPriceList as readBase,
  refusalOf,
  requestOf,
  route,
} from '../../../support/rates/price-list.ts'
import { bookOf } from '../../../support/rates/rate-cards.ts'

const base = readBase('own-layouts')
const bytes = (lines: readonly string[]): Uint8Array => new TextEncoder().encode(`${lines.join('\n')}\n`)

/** The quotes of the base version with the prices of a list. */
function imported(layoutLines: readonly string[], listLines: readonly string[]) {
  const { layout, faults } = readPriceLayout('layout.csv', bytes(['kind,name,value', ...layoutLines]))
  expect(faults).toEqual([])
  const list = readPriceList(inLayout(csvFile('list.csv', bytes(listLines)), layout!))
  expect(list.faults).toEqual([])
  expect(list.warnings).toEqual([])
  const card = { ...base, content: withPrices(base.content, list.rows!) }
  expect(checkRateCard(card).faults).toEqual([])
  const book = bookOf(card)
  const quoted = (to: string, row: object) => {
    const from = to.startsWith('DE') ? 'DE' : 'IT 20121'
    return quote(book, requestOf(route(from, to, [row])), EARLY_DAY)
  }
  return {
    price: (productId: number, to: string, row: object) => billOf(productId, quoted(to, row)).price,
    refusal: (productId: number, to: string, row: object) => refusalOf(productId, quoted(to, row)).code,
  }
}

describe('a German list of sizes', () => {
  const { price, refusal } = imported(
    [
      'column,Paket,unit',
      'column,Preis Inland,zone 0',
      'unit,Päckchen S,SIZE:S',
      'unit,Päckchen M,SIZE:M',
      'unit,Paket 2 kg,SIZE:2 KG',
      'unit,Rollenzuschlag,',
      'product,,3501',
    ],
    ['Paket;Preis Inland', 'Päckchen S;4,19', 'Päckchen M;5,19', 'Paket 2 kg;6,19', 'Rollenzuschlag;2,50'],
  )

  test.each([
    [2, '35x25x10', '4.19'],
    [2, '36x25x10', '5.19'],
    [2, '60x30x16', '6.19'],
  ])('%d kg of %s cm cost %s', (kg, size, euro) => {
    expect(price(3501, 'DE', parcels(kg, size))).toBe(euro)
  })

  test('has no price above 2 kg', () => {
    expect(refusal(3501, 'DE', parcels(2.1, '35x25x10'))).toBe('OVER_SIZE')
  })
})

test('an Italian list of pallets: two half pallets to Bergamo are 2 × 55.50', () => {
  const { price } = imported(
    [
      'column,Bancale,unit',
      ...['column,Zona 1,zone 1', 'column,Zona 2,zone 2', 'column,Zona 3,zone 3'],
      ...['unit,MINI,PALLET:MINI', 'unit,QUARTER,PALLET:QUARTER'],
      ...['unit,HALF,PALLET:HALF', 'unit,FULL,PALLET:FULL'],
      'product,,3502',
    ],
    [
      'Bancale;Zona 1;Zona 2;Zona 3',
      ...['MINI;31,00;38,50;62,00', 'QUARTER;36,00;44,00;71,00'],
      ...['HALF;45,00;55,50;90,00', 'FULL;68,00;84,00;139,00'],
    ],
  )
  expect(price(3502, 'IT 24121', pallets(500, '120x80x120', 2))).toBe('111.00')
  expect(price(3502, 'IT 20130', pallets(100, '120x80x60'))).toBe('31.00')
  expect(price(3502, 'IT 90133', pallets(700, '120x80x120'))).toBe('139.00')
})

test('a list with zones by name and weight bands as columns', () => {
  const { price } = imported(
    [
      ...['column,Destinazione,zone', 'column,fino a 50,up_to 50'],
      ...['column,fino a 100,up_to 100', 'column,fino a 500,up_to 500'],
      ...['zone,Milano,1', 'zone,Lombardia,2', 'zone,Isole,3', 'zone,Vaticano,'],
      ...['empty,,no band', 'product,,3503'],
    ],
    [
      'Destinazione;fino a 50;fino a 100;fino a 500',
      ...['Milano;12,50;15,00;28,00', 'Lombardia;14,00;17,50;33,40'],
      ...['Isole;29,00;;78,90', 'Vaticano;40,00;50,00;60,00'],
    ],
  )
  expect(price(3503, 'IT 20130', parcels(50, '60x40x40'))).toBe('12.50')
  expect(price(3503, 'IT 24121', parcels(50.5, '60x40x40'))).toBe('17.50')
  expect(price(3503, 'IT 90133', parcels(60, '60x40x40'))).toBe('78.90')
})

test('a list per 100 kg without a column for the unit, whose empty cells continue the zone above', () => {
  const { price } = imported(
    [
      ...['column,Zona,zone', 'column,Fino a kg,up_to', 'column,Euro al quintale,price'],
      ...['zone,Milano,1', 'zone,Lombardia,2', 'zone,Isole,3'],
      ...['unit,,PER100KG', 'product,,3504'],
    ],
    [
      'Zona;Fino a kg;Euro al quintale',
      ...['Milano;100;22,00', ';500;18,00'],
      ...['Lombardia;100;25,00', ';500;21,50'],
      ...['Isole;100;55,00', ';500;47,50'],
    ],
  )
  expect(price(3504, 'IT 20130', parcels(250, '60x40x40'))).toBe('45.00') // 2.5 × 18.00
  expect(price(3504, 'IT 24121', parcels(40, '60x40x40'))).toBe('10.00') // 0.4 × 25.00
  expect(price(3504, 'IT 90133', parcels(317, '60x40x40'))).toBe('150.58') // 3.17 × 47.50 = 150.575
})

test('a list with rates per 100 kg as columns, after a minimum up to 50 kg', () => {
  const { price } = imported(
    [
      ...['column,Destinazione,zone', 'column,minimo 50,up_to 50 KG'],
      ...['column,fino a 100,up_to 100', 'column,fino a 500,up_to 500'],
      ...['zone,Milano,1', 'zone,Lombardia,2', 'zone,Isole,3'],
      ...['unit,,PER100KG', 'product,,3504'],
    ],
    [
      'Destinazione;minimo 50;fino a 100;fino a 500',
      ...['Milano;11,00;22,00;18,00', 'Lombardia;12,50;25,00;21,50', 'Isole;27,50;55,00;47,50'],
    ],
  )
  expect(price(3504, 'IT 20130', parcels(7, '60x40x40'))).toBe('11.00')
  expect(price(3504, 'IT 20130', parcels(80, '60x40x40'))).toBe('17.60') // 0.8 × 22.00
  expect(price(3504, 'IT 90133', parcels(300, '60x40x40'))).toBe('142.50') // 3 × 47.50
})
