/** The shipped customs data: complete, dated, and consistent in itself. */
import { describe, expect, test } from 'vitest'
import { compileCustomsTables, taxRatesKey } from '../../src/core/customs/tables.ts'
import { isCountryCode, normalisePostalCode } from '../../src/core/place.ts'
import { readCustomsReference, shippedDataSets } from '../../src/reference/customs.ts'

const rows = readCustomsReference()
const tables = compileCustomsTables(rows)

test('every data set has a title, a source and a date', () => {
  for (const set of shippedDataSets()) {
    expect(set.title, set.name).not.toBe('')
    expect(set.source.length, set.name).toBeGreaterThan(10)
    expect(set.date, set.name).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect(set.rows().length, set.name).toBeGreaterThan(0)
  }
})

test('every row belongs to a data set', () => {
  const { dataSets: _sets, ...lists } = rows
  for (const list of Object.values(lists))
    for (const row of list) expect(tables.dataSets.has(row.dataSet)).toBe(true)
})

test('no row is lost', () => {
  const count = (dataSet: string) =>
    [...rows.measures, ...rows.taxRates].filter((row) => row.dataSet === dataSet).length
  expect(count('tariff-eu')).toBe(11_830)
  expect(count('tariff-gb')).toBe(11_830)
  expect(count('hs2022-fill')).toBe(740)
  expect(count('tax-rates')).toBe(979)
})

describe('the tariffs', () => {
  test('have no code twice on one day', () => {
    const keys = rows.measures.map((row) => `${row.jurisdiction} ${row.codePrefix} ${row.validFrom}`)
    expect(new Set(keys).size).toBe(keys.length)
  })
  test('have a rate on every line', () => {
    for (const row of rows.measures)
      expect(row.adValoremPpm !== null || row.specific !== '' || row.text !== '', row.codePrefix).toBe(true)
  })
  test('know every six digits of HS 2022 that the fill adds, in both', () => {
    for (const row of rows.measures)
      if (row.dataSet === 'hs2022-fill')
        expect(tables.tariffs.get(row.jurisdiction)?.below.has(row.codePrefix)).toBe(false)
  })
})

describe('taxes', () => {
  test('that are levied have a standard rate', () => {
    for (const tax of rows.taxes) {
      if (tax.status !== 'levied') continue
      const rates = tables.taxRates.get(taxRatesKey({ jurisdiction: tax.ratesOf, tax: tax.tax }))
      expect(rates?.get('')?.[0]?.kind, tax.jurisdiction).toBe('standard')
    }
  })
  test('that are not levied or not loaded say why', () => {
    for (const tax of rows.taxes)
      if (tax.status !== 'levied') expect(tax.reason, tax.jurisdiction).not.toBe('')
  })
  test('belong to known jurisdictions', () => {
    for (const { jurisdiction } of [...rows.taxes, ...rows.taxRates])
      expect(tables.jurisdictions.has(jurisdiction), jurisdiction).toBe(true)
  })
})

describe('territories', () => {
  test('lie in known countries and jurisdictions', () => {
    for (const row of rows.territories) {
      expect(isCountryCode(row.country), row.country).toBe(true)
      expect(tables.jurisdictions.has(row.jurisdiction), row.jurisdiction).toBe(true)
    }
  })
  test('write postal codes in the form they are compared in', () => {
    for (const { country, postalFrom } of rows.territories)
      expect(normalisePostalCode(country, postalFrom)).toBe(postalFrom)
  })
})

test('every amount that is compared or converted has an exchange rate', () => {
  const currencies = rows.thresholds.map((row) => row.currency).filter((currency) => currency !== 'EUR')
  for (const currency of [...currencies, 'GBP'])
    expect(tables.exchangeRates.has(currency), currency).toBe(true)
})
