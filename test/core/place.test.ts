import { describe, expect, test } from 'vitest'
import { isCountryCode, normalisePostalCode, postalCodeKey, postalInterval } from '../../src/core/place.ts'

describe('postal codes', () => {
  test.each([
    ['NL', '1012 ab', '1012'],
    ['NL', 'NL-1012AB', '1012'],
    ['DE', 'D-01067', '01067'],
    ['PT', '9000-082', '9000'],
    ['US', '00601-1234', '00601'],
    ['IE', 'd02 x285', 'D02'],
    ['CA', 'k1a 0b1', 'K1A0B1'],
    ['GB', 'EH22 2GF', 'EH22'],
    ['GB', 'KW1 4XX', 'KW01'],
    ['GB', 'KW10 6XX', 'KW10'],
    ['GB', 'SW1A 1AA', 'SW01A'],
    ['GB', 'W1A 1AA', 'W01A'],
    ['GB', 'BT', 'BT'],
    ['GB', 'GB-KW1 4AA', 'KW01'],
    ['GB', 'GBKW14AA', 'KW01'],
    ['GB', 'KW14AA', 'KW01'],
    ['GB', 'PO3 5', 'PO03'],
    ['GB', 'PO35', 'PO35'],
    ['CA', 'CA-X0A 0H0', 'X0A0H0'],
    ['IE', 'IE D02 X285', 'D02'],
    ['MT', 'VLT 1010', 'VLT1010'],
    ['LV', 'LV-1050', '1050'],
    ['JP', '100-0001', '1000001'],
  ])('of %s: normalises %j to %s', (country, zipcode, expected) => {
    expect(normalisePostalCode(country, zipcode)).toBe(expected)
  })

  const inRange = (country: string, from: string, to: string, zipcode: string): boolean => {
    const [start, end] = postalInterval(country, from, to)
    const key = postalCodeKey(normalisePostalCode(country, zipcode))
    return start <= key && key <= end
  }

  test.each([
    ['FR', '20', '20', '20000', true],
    ['FR', '20', '20', '2000', true],
    ['FR', '20', '20', '21000', false],
    ['FR', '971', '976', '97600', true],
    ['FR', '971', '976', '97700', false],
    ['IT', '07', '09', '09012', true],
    ['IT', '07', '09', '7012', false],
    ['GB', 'BT', 'BT', 'BT1 5GS', true],
    ['GB', 'BT', 'BT', 'B1 1AA', false],
    ['GB', 'PA20', 'PA78', 'PA3 4AA', false],
    ['GB', 'PA20', 'PA78', 'PA34 4AA', true],
    ['GB', 'PO30', 'PO41', 'PO3 1AA', false],
    ['GB', 'EH22', 'EH22', 'EH22 2GF', true],
    ['GB', 'EH22', 'EH22', 'eh22', true],
    ['NL', '1790', '1797', '1791 AB', true],
    ['CA', 'X', 'Y', 'Y1A 2C6', true],
    ['CA', 'X', 'Y', 'K1A 0B1', false],
    ['CA', 'K1A', 'K1A', 'K1A 0B1', true],
    ['CA', 'K1A 0A1', 'K1A 0B5', 'K1A 0B1', true],
    ['CA', 'K1A 0A1', 'K1A 0B5', 'K1A 0C1', false],
    ['GB', 'B', 'B', 'B33 8TH', true],
    ['GB', 'B', 'B', 'B6 5BA', true],
    ['GB', 'B', 'B', 'BA1 1AA', false],
    ['GB', 'B', 'E', 'BA1 1AA', true],
    ['GB', 'B', 'E', 'EC1A 1BB', true],
    ['GB', 'S', 'W', 'WA1 1AA', true],
    ['GB', 'A', 'Z', 'ZE1 0AA', true],
    ['GB', 'BA', 'BA', 'BA1 1AA', true],
  ])('of %s: the range %s to %s contains %s: %s', (country, from, to, zipcode, expected) => {
    expect(inRange(country, from, to, zipcode)).toBe(expected)
  })

  test('distinguish a partial code from the codes that begin with it', () => {
    expect(postalCodeKey('10')).not.toBe(postalCodeKey('10000'))
    expect(postalCodeKey('0')).not.toBe(postalCodeKey('00'))
  })

  test('country codes are those of ISO 3166-1, and XK', () => {
    expect(['NL', 'XK', 'UK', 'EU', 'nl', ''].map(isCountryCode)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
