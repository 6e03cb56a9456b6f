import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDutyParts, parseDutyParts, parseDutyRate } from '../../../src/core/customs/duty-text.ts'

describe('a published duty rate', () => {
  test.each([
    ['12%', { base: { adValoremPpm: 120_000, specifics: [] } }],
    ['6.50%', { base: { adValoremPpm: 65_000, specifics: [] } }],
    [
      '4.50% MIN 0.30 EUR / item MAX 0.80 EUR / item',
      {
        base: { adValoremPpm: 45_000, specifics: [] },
        minimum: { specifics: [{ amountSteps: 3_000, currency: 'EUR', unit: 'item', perItems: 1 }] },
        maximum: { specifics: [{ amountSteps: 8_000, currency: 'EUR', unit: 'item', perItems: 1 }] },
      },
    ],
    [
      '43.00 GBP/1000 items',
      {
        base: { specifics: [{ amountSteps: 430_000, currency: 'GBP', unit: '1000 items', perItems: 1000 }] },
      },
    ],
    [
      '52.00 EUR / 1,000 items',
      {
        base: { specifics: [{ amountSteps: 520_000, currency: 'EUR', unit: '1000 items', perItems: 1000 }] },
      },
    ],
    [
      '10.20% + 93.10 EUR / 100 kg',
      {
        base: {
          adValoremPpm: 102_000,
          specifics: [{ amountSteps: 931_000, currency: 'EUR', unit: '100 kg' }],
        },
      },
    ],
    [
      '1,024.00 EUR / tonne',
      { base: { specifics: [{ amountSteps: 10_240_000, currency: 'EUR', unit: 'tonne' }] } },
    ],
    // The old style of the tariff leaves the percent sign out.
    [
      '7.2 MIN 0.36 EUR/100 kg',
      {
        base: { adValoremPpm: 72_000, specifics: [] },
        minimum: { specifics: [{ amountSteps: 3_600, currency: 'EUR', unit: '100 kg' }] },
      },
    ],
  ])('reads %s', (text, rate) => {
    expect(parseDutyRate(text)).toEqual(rate)
  })

  test.each([
    'Entry Price',
    '9.00% + EA MAX 18.70% + ADSZ',
    '15.00% (01 JAN-14 FEB)',
    '',
    '3% + 4%',
    'Free',
  ])('that is not understood is not guessed: %s', (text) => {
    expect(parseDutyRate(text)).toBeUndefined()
  })

  test('is never a fault, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => void parseDutyRate(text)))
    const words = fc.constantFrom(
      '5%',
      '3 EUR/item',
      '9 GBP/100 kg',
      ' + ',
      ' MIN ',
      ' MAX ',
      'EA',
      '/',
      '1,000',
    )
    fc.assert(fc.property(fc.array(words), (parts) => void parseDutyRate(parts.join(''))))
  })

  test('written in Waybill’s form reads back the same', () => {
    const part = fc.record({
      amountSteps: fc.integer({ min: 0, max: 9_999_999 }),
      currency: fc.constantFrom('EUR', 'GBP'),
      unit: fc.constantFrom('100 kg', 'hl', 'tonne', '% vol hl'),
    })
    const parts = fc.record(
      {
        adValoremPpm: fc.integer({ min: 0, max: 9_999_999 }),
        specifics: fc.array(part, { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: ['specifics'] },
    )
    fc.assert(
      fc.property(parts, (given) => {
        expect(parseDutyParts(formatDutyParts(given))).toEqual(given)
      }),
    )
  })
})
