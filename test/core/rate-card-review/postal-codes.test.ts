/** Postal codes and their beginnings, against the formats of countries. */
import { describe, expect, test } from 'vitest'
import { COUNTRY_CODES } from '../../../src/core/place.ts'
import {
  countingPart,
  expectedCode,
  withLostZero,
} from '../../../src/core/rate-card-review/check/places/postal-codes.ts'
import { POSTAL_FORMATS } from '../../../src/core/rate-card-review/check/places/postal-formats.ts'

describe('a code or its beginning', () => {
  test.each([
    ['DE', ['10115', '0', '01067', 'D-10115', 'DE-10115', 'DE 10115', '10']],
    ['FR', ['75001', '75 001', 'F-75001', '20']],
    ['GB', ['B', 'BA', 'B33 8TH', 'B33-8TH', 'b338th', 'EC1A 1BB', 'PO3 5', 'KW17', 'BT']],
    ['CA', ['K1A 0B1', 'K1A0B1', 'K1A', 'X', 'H0H']],
    ['NL', ['1012', '1012 AB', '1012AB', '10']],
    ['IE', ['D02', 'A65 F4E2', 'D6W']],
    ['LV', ['LV-1010', '1010', 'LV']],
    ['PL', ['00-950', '00950', '00']],
    ['PT', ['9000', '9000-001']],
    ['SE', ['114 55', '11455', 'SE-114 55']],
    ['US', ['10001', '10001-1234', '967', '995']],
    ['IN', ['110 001', '110001']],
    ['JP', ['100-0001', '100 0001', '100']],
    ['PL', ['00 950']],
    ['CL', ['832-0000']],
    ['AE', ['anything']],
  ])('is accepted in %s', (country, codes) => {
    expect(codes.filter((code) => expectedCode(country, code) !== undefined)).toEqual([])
  })

  test.each([
    [
      'DE',
      ['10115;10117', '10115, 10117', '10115-10117', '10115|10117', '1012 AB', 'SW1A 1AA', '101155', '75-77'],
    ],
    ['FR', ['75-77', '2A']],
    ['GB', ['10115', 'BAA', 'BA1,BA2']],
    ['CA', ['10001', 'K1A 0B1 X', '1A']],
    ['NL', ['10115', '1012-1017', '1012 A1']],
    ['US', ['K1A', '10001/10002']],
    ['AT', ['1-3', '9-12', '30 - 32', '10 11 12', '9-126']],
    ['PL', ['9 - 12', '00-950-951']],
    ['FR', ['20-21', '7-12']],
  ])('is refused in %s', (country, codes) => {
    expect(codes.filter((code) => expectedCode(country, code) === undefined)).toEqual([])
  })

  test('is described by the format', () => {
    expect(expectedCode('DE', '1012 AB')).toBe(
      'a postal code of DE (99999) or its beginning, and one code in a cell',
    )
    expect(expectedCode('CA', '10001')).toContain('(A9A 9A9)')
  })
})

test('a code of a country with leading zeros that is one digit short has probably lost its zero', () => {
  expect(withLostZero('DE', '1067')).toBe('01067')
  expect(withLostZero('US', '2108')).toBe('02108')
  for (const [country, code] of [
    ['DE', '106'],
    ['DE', '01067'],
    ['AT', '101'],
    ['NL', '101'],
    ['GB', 'B'],
  ] as const)
    expect(withLostZero(country, code)).toBeUndefined()
})

test('a code with more than the part that counts has this part', () => {
  for (const [country, code, part] of [
    ['GB', 'PA20 7', 'PA20'],
    ['GB', 'PA20 7AB', 'PA20'],
    ['GB', 'b338th', 'b33'],
    ['GB', 'B1 2', 'B1'],
    ['NL', '1012 BC', '1012'],
    ['US', '10001-1234', '10001'],
    ['PT', '9000-205', '9000'],
    ['IE', 'D02 X285', 'D02'],
    ['GB', 'PA20', undefined],
    ['GB', 'EH22', undefined],
    ['GB', 'B', undefined],
    ['GB', 'GIR 0AA', undefined],
    ['NL', '1012', undefined],
    ['CA', 'K1A 0B1', undefined],
    ['PL', '00-950', undefined],
    ['DE', 'DE-10115', undefined],
    ['JP', '100-0001', undefined],
  ] as const)
    expect([code, countingPart(country, code, 'from')]).toEqual([code, part])
})

test('the first and the last code of a part are no narrower than the part', () => {
  for (const [country, from, to] of [
    ['PT', '1000-001', '1999-999'],
    ['NL', '1012 AA', '1017 ZZ'],
    ['GB', 'PA20 0AA', 'PA21 9ZZ'],
    ['US', '10001-0000', '10001-9999'],
  ] as const) {
    expect(countingPart(country, from, 'from')).toBeUndefined()
    expect(countingPart(country, to, 'to')).toBeUndefined()
    expect(countingPart(country, to, 'from')).toBeDefined()
  }
})

test('formats exist for most countries, and all of them can be read', () => {
  const countries = COUNTRY_CODES.filter((country) => POSTAL_FORMATS[country] !== undefined)
  expect(countries.length).toBeGreaterThan(170)
  for (const format of countries.flatMap((country) => POSTAL_FORMATS[country]!.split('|')))
    expect(format).toMatch(/^[#@*A-Z0-9 -]{2,14}$/)
})
