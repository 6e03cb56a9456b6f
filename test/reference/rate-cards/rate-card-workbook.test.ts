/** Rate cards as Excel workbooks: a card that is written and read again is the same, and faults name sheet and row. */
import path from 'node:path'
import { unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import type { RateCardContent, RateCardImport } from '../../../src/core/rating/rate-card.ts'
import { describeImportFault } from '../../../src/reference/import/import-fault.ts'
import { readWorkbook } from '../../../src/reference/import/workbook-sheet.ts'
import {
  cardTables,
  openRateCardFiles,
  readCardWorkbook,
  readDemoRateBook,
  readRateCard,
  writeRateCard,
} from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { writeCardWorkbook } from '../../../src/reference/rate-cards/rate-card-workbook.ts'
import { randomSources } from '../../support/random/card.ts'
import { filesOf, SMALL_CARD } from '../../support/rates/card-files.ts'
import { makeWorkbook, type TestCell } from '../tariff-import/make-workbook.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/rate-cards')
const CARDS = [
  'column-sheet',
  'groupage',
  'integrator',
  'measure-sheet',
  'pallet-network',
  'parcel-network',
  'postal',
  'regional-next-day',
  'rule-sheet',
]

const small = () => readRateCard(filesOf(SMALL_CARD)).card!

/** The sheets of a card, as a test can change them. */
function sheetsOf(card = small()): Record<string, TestCell[][]> {
  const tables = cardTables(card).map(({ file, columns, rows }): [string, TestCell[][]] => [
    file.replace('.csv', ''),
    [columns.map(({ column }) => column), ...rows.map((row) => [...row])],
  ])
  return Object.fromEntries(tables)
}

const readSheets = (sheets: Readonly<Record<string, readonly (readonly TestCell[])[]>>) =>
  readCardWorkbook(readWorkbook(makeWorkbook(sheets)))

/** Rows with the maxima, insurance bands, and weighing rules of random cards. */
function randomRules(
  seed: number,
): Pick<
  RateCardContent,
  'products' | 'services' | 'surcharges' | 'insuranceBands' | 'sizeClasses' | 'minimumWeights'
> {
  const { cards } = randomSources(seed)
  return {
    // Random products combine a scope with countries, which the format does not.
    products: cards.flatMap(({ products }) => products.map(({ zones: _, fromCountries: __, ...row }) => row)),
    services: cards.flatMap(({ services }) => services.map(({ zones: _, ...row }) => row)),
    surcharges: cards.flatMap(({ surcharges }) => surcharges),
    insuranceBands: cards.flatMap(({ insuranceBands }) => insuranceBands),
    sizeClasses: cards.flatMap(({ sizeClasses }) => sizeClasses),
    minimumWeights: cards.flatMap(({ minimumWeights }) => minimumWeights),
  }
}

test('price rules of random cards are the same in CSV files and workbooks', async () => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= 12; seed += 1) {
    const rules = randomRules(seed)
    for (const row of Object.values(rules).flat()) for (const field of Object.keys(row)) seen.add(field)
    const { content, ...shared } = small()
    const card = { ...shared, content: { ...content, ...rules }, fuel: [] }
    const written = [...writeRateCard(card)].map(
      ([name, text]) => [name, new TextEncoder().encode(text)] as const,
    )
    expect(readRateCard(new Map(written)).card?.content).toEqual(card.content)
    expect(readCardWorkbook(readWorkbook(await writeCardWorkbook(card))).card?.content).toEqual(card.content)
  }
  const weights = ['heavyOverGrams', 'heavyStepGrams', 'minBilledUnitGrams', 'shipmentStepGrams']
  const amounts = ['minBilledShipmentGrams', 'maximumCents', 'valueStepCents', 'stepPriceCents']
  const measures = ['units', 'sideRounding', 'volumetricPer', 'sizeClass', 'condition', 'weight']
  expect([...seen]).toEqual(expect.arrayContaining([...weights, ...amounts, ...measures]))
}, 60_000)

describe('a card that is written as a workbook and read again', () => {
  test('is the demo card', async () => {
    const demo = readDemoRateBook()
    const { card, faults, warnings } = readCardWorkbook(readWorkbook(await writeCardWorkbook(demo)))
    expect(faults).toEqual([])
    expect(warnings).toEqual([])
    expect(card).toEqual(demo)
  }, 120_000)

  test.each(CARDS)('is the card of the fixture %s', async (name) => {
    const { card } = readRateCard(openRateCardFiles(path.join(FIXTURES, name)))
    expect(card).toBeDefined()
    expect(readCardWorkbook(readWorkbook(await writeCardWorkbook(card!))).card).toEqual(card)
  }, 120_000)

  test('has steps in tenths of a cent, amounts of fuel, and percentages that are rounded together', async () => {
    const { content, ...shared } = small()
    const step = { stepGrams: 500, stepCents: 8, stepTenths: 5 }
    const prices = content.prices.map((row) => (row.unit === 'KG' ? { ...row, ...step } : row))
    const terms = { currency: 'EUR', vatIncluded: false, roundToCents: 5, rateDays: 7 }
    const fuel = { carrierCode: 'duinpost', code: 'FUEL' }
    const card: RateCardImport = {
      ...shared,
      content: { ...content, prices, priceTerms: [{ ...terms, percentagesTogether: true }] },
      fuel: [
        { ...fuel, validFrom: '2026-02-01', rateBps: 8_505, per: 'kg' },
        { ...fuel, validFrom: '2026-03-01', rateBps: 3_500, per: 'parcel' },
        { ...fuel, validFrom: '2026-04-01', rateBps: 925 },
      ],
    }
    expect(readCardWorkbook(readWorkbook(await writeCardWorkbook(card))).card).toEqual(card)
    expect(readRateCard(filesOf(Object.fromEntries(writeRateCard(card)))).card).toEqual(card)
  })

  test('has its texts and days, even those that workbooks write in another way', async () => {
    const { content, ...shared } = small()
    const surcharges = content.surcharges.map((row) => ({
      ...row,
      reason: 'Kod _x0041_ _x005F_x0041_',
      validFrom: '1900-01-31',
    }))
    const card = { ...shared, content: { ...content, surcharges }, fuel: [] }
    expect(readCardWorkbook(readWorkbook(await writeCardWorkbook(card))).card).toEqual(card)
  })

  test('has texts with leading zeros as text, amounts with two decimals, and days as days', async () => {
    const files = unzipSync(await writeCardWorkbook(small()))
    const styles = new TextDecoder().decode(files['xl/styles.xml'])
    expect(styles).toContain('formatCode="0.00"')
    expect(styles).toContain('formatCode="yyyy-mm-dd"')
    const card = small()
    const groups = [{ ...card.content.countryGroups[0]!, country: 'DE', from: '01067', to: '01999' }]
    const changed = { ...card, content: { ...card.content, countryGroups: groups } }
    const written = readCardWorkbook(readWorkbook(await writeCardWorkbook(changed)))
    expect(written.card!.content.countryGroups).toEqual(groups)
  })
})

describe('the sheets of a card', () => {
  test('may be called like the files, in any case', () => {
    const { rates, ...others } = sheetsOf()
    expect(readSheets({ ...others, 'Rates.CSV': rates! }).card).toEqual(small())
  })

  test('that are unknown or repeated are not read, with a warning', () => {
    const sheets = sheetsOf()
    const { card, warnings } = readSheets({
      ...sheets,
      'rates.csv': sheets['rates']!,
      surcharge: [['x']],
      Empty: [],
    })
    expect(card).toEqual(small())
    expect(warnings.map(describeImportFault)).toEqual([
      'sheet rates.csv: expected one sheet for rates; this one is not read',
      'sheet surcharge: expected a sheet of the format; it is not read',
    ])
  })

  test('that are missing are a fault if every card needs them', () => {
    const { rates: _, services: __, ...others } = sheetsOf()
    expect(readSheets(others).faults.map(describeImportFault)).toEqual([
      'sheet rates: expected this sheet, which every rate card needs',
    ])
  })

  test('name sheet, row and column of a fault', () => {
    const sheets = sheetsOf()
    const rates = [['Prices of 2027'], ...sheets['rates']!]
    const column = sheets['rates']![0]!.indexOf('price')
    rates[2] = rates[2]!.with(column, '#REF!')
    expect(readSheets({ ...sheets, rates }).faults.map(describeImportFault)).toEqual([
      'sheet rates, row 3, column price: expected a number with at most 2 decimals, found "#REF!"',
    ])
  })

  test('have a fault where a formula was never calculated', () => {
    const files = unzipSync(makeWorkbook(sheetsOf()))
    const sheet = Object.keys(sheetsOf()).indexOf('rates') + 1
    const name = `xl/worksheets/sheet${sheet}.xml`
    const xml = new TextDecoder().decode(files[name])
    const bytes = new TextEncoder().encode(
      xml.replace(/<c r="F2"[^>]*>.*?<\/c>/, '<c r="F2"><f>E2*1.03</f></c>'),
    )
    const { faults } = readCardWorkbook(readWorkbook(zipSync({ ...files, [name]: bytes })))
    expect(faults.map(describeImportFault)).toEqual([
      'sheet rates, row 2, column price: expected a number with at most 2 decimals, found "(a formula that was never calculated)"',
    ])
  })
})
