/** Shipped tax rates on certain days, and the notes of rates that apply to only some goods of a code. */
import { expect, test } from 'vitest'
import { formatPercent } from '../../../src/core/customs/tariff/duty-text.ts'
import { isInForce } from '../../../src/core/validity.ts'
import { readShippedCustomsData } from '../../../src/reference/customs.ts'

const rows = readShippedCustomsData()

test.each([
  ['CH', '2023-12-31', 77_000],
  ['SG', '2022-12-31', 70_000],
  ['SG', '2023-01-01', 80_000],
  ['EE', '2025-06-30', 220_000],
  ['FI', '2024-08-31', 240_000],
  ['SK', '2024-12-31', 200_000],
  ['RO', '2025-07-31', 190_000],
  ['TR', '2023-07-09', 180_000],
  ['LU', '2023-06-01', 160_000],
])('the standard rate of %s on %s was %i millionths', (jurisdiction, date, expected) => {
  const found = rows.taxRates.filter(
    (row) =>
      row.jurisdiction === jurisdiction &&
      row.codePrefix === '' &&
      row.validTo !== null &&
      isInForce(row, date),
  )
  expect(found.map((row) => row.ratePpm)).toEqual([expected])
})

/** The rate that applies to a code on a day: the longest prefix, then a row with dates. */
function taxRate(jurisdiction: string, code: string, date: string) {
  return rows.taxRates
    .filter(
      (row) => row.jurisdiction === jurisdiction && code.startsWith(row.codePrefix) && isInForce(row, date),
    )
    .sort(
      (a, b) =>
        b.codePrefix.length - a.codePrefix.length ||
        Number(b.validFrom !== null || b.validTo !== null) -
          Number(a.validFrom !== null || a.validTo !== null),
    )[0]
}

test.each([
  ['TR', '610910', '2023-07-09', '8%'],
  ['TR', '610910', '2023-07-10', '10%'],
  ['TR', '640399', '2026-11-01', '10%'],
  ['TR', '420221', '2026-11-01', '20%'],
  ['SE', '190531', '2026-03-31', '12%'],
  ['SE', '190531', '2026-04-01', '6%'],
  ['SE', '190531', '2027-12-31', '6%'],
  ['SE', '190531', '2028-01-01', '12%'],
  ['FI', '190531', '2025-12-31', '14%'],
  ['FI', '190531', '2026-01-01', '13.5%'],
  ['FI', '300490', '2024-12-31', '10%'],
  ['CZ', '490199', '2023-12-31', '10%'],
  ['CZ', '490199', '2024-01-01', '0%'],
  ['LT', '490199', '2025-12-31', '9%'],
  ['LT', '490199', '2026-01-01', '5%'],
  ['RO', '190531', '2025-07-31', '9%'],
  ['RO', '190531', '2025-08-01', '11%'],
  ['SK', '300490', '2025-01-01', '5%'],
  ['SI', '220210', '2024-12-31', '9.5%'],
  ['SI', '220210', '2025-01-01', '22%'],
  ['CH', '040900', '2023-12-31', '2.5%'],
  ['CH', '040900', '2024-01-01', '2.6%'],
  ['AT', '040900', '2026-11-01', '10%'],
  ['JP', '220210', '2026-11-01', '8%'],
  ['JP', '220421', '2026-11-01', '10%'],
])('the tax rate of %s for %s on %s is %s', (jurisdiction, code, date, expected) => {
  expect(formatPercent(taxRate(jurisdiction, code, date)?.ratePpm ?? -1)).toBe(expected)
})

test.each([
  ['AU', '040900', /fresh and basic/],
  ['CA', '300490', /prescription/],
  ['KR', '190531', /unprocessed/],
  ['IE', '180690', /23%/],
  ['GB', '200520', /crisps/],
  ['GB', '030200', /^$/],
  ['ES', '040110', /4%/],
  ['ES', '160100', /^$/],
  ['AT', '190531', /not verified/],
  ['IL', '080810', /zero-rated/],
])('the tax rate of %s for %s has the note %s', (jurisdiction, code, expected) => {
  expect(taxRate(jurisdiction, code, '2026-11-01')?.note).toMatch(expected)
})
