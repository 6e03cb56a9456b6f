import { describe, expect, test } from 'vitest'
import { findJurisdiction, movementBetween } from '../../../../src/core/customs/data/territory.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'

const tables = shippedTables()

/** Takes a country and an optional postal code: "ES 35001". */
function jurisdiction(place: string) {
  const [country = '', zipcode] = place.split(' ', 2)
  return findJurisdiction(tables, { country, ...(zipcode !== undefined && { zipcode }) })
}

test.each([
  ['NL', 'NL'],
  ['NL 1012AB', 'NL'],
  ['ES 28001', 'ES'],
  ['ES 35001', 'IC'],
  ['ES 51001', 'XC'],
  ['FR 97133', 'BL'],
  ['FR 97150', 'MF'],
  ['FR 97122', 'GP'],
  ['FR 98000', 'FR'],
  ['MC', 'FR'],
  ['GB BT1', 'XI'],
  ['GB B1', 'GB'],
  ['GB JE2', 'JE'],
  ['IM', 'GB'],
  ['DE 78266', 'CH'],
  ['DE 27498', 'DE-HELGOLAND'],
  ['AT 6992', 'AT-JUNGHOLZ'],
  ['AT 6990', 'AT'],
  ['PT 9000-001', 'PT-MADEIRA'],
  ['PT 9500', 'PT-AZORES'],
  ['PT 8999', 'PT'],
  ['NO 9170', 'SJ'],
  ['SJ', 'SJ'],
  ['CH 7563', 'CH-SAMNAUN'],
  ['FI 22100', 'AX'],
  ['NL nonsense', 'NL'],
  ['MZ', 'MZ'],
])('%s is in jurisdiction %s', (place, code) => {
  expect(jurisdiction(place).code).toBe(code)
})

describe('movements', () => {
  test.each([
    ['NL', 'NL', 'inside'],
    ['NL', 'DE', 'inside'],
    ['NL', 'PT 9000', 'inside'],
    ['FR', 'MC', 'inside'],
    ['CH', 'LI', 'inside'],
    ['CH', 'DE 78266', 'inside'],
    ['DE', 'DE 78266', 'import'],
    ['GB', 'IM', 'inside'],
    ['GB', 'GB BT1', 'inside'],
    ['IE', 'GB BT1', 'inside'],
    ['GB BT1', 'DE', 'inside'],
    ['DE', 'AX', 'tax_only'],
    ['ZA', 'NA', 'tax_only'],
    ['AE', 'SA', 'tax_only'],
    ['NG', 'GH', 'import'],
    ['CM', 'GA', 'import'],
    ['ES', 'ES 35001', 'tax_only'],
    ['FR', 'RE', 'tax_only'],
    ['GB', 'JE', 'tax_only'],
    ['IT', 'SM', 'tax_only'],
    ['CH', 'CH 7563', 'tax_only'],
    ['IT', 'IT 23041', 'import'],
    ['DE', 'DE 27498', 'import'],
    ['CN', 'GB BT1', 'import'],
    ['GB', 'IE', 'import'],
    ['DE', 'CH', 'import'],
  ])('%s to %s: %s', (from, to, movement) => {
    expect(movementBetween(jurisdiction(from), jurisdiction(to))).toBe(movement)
  })
})
