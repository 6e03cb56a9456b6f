import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hundredths, quote, quotedContent } from '../../src/core/json-text.ts'

test('quotes every text like JSON.stringify', () => {
  const unit = fc.constantFrom(
    'a',
    ' ',
    '"',
    '\\',
    '\n',
    '\u007f',
    '\u2028',
    'é',
    '\ud800',
    '\udc00',
    '\ud83d\ude00',
  )
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: 'binary' })), (text) => {
      expect(quote(text)).toBe(JSON.stringify(text))
      expect(`"${quotedContent(text)}"`).toBe(JSON.stringify(text))
    }),
  )
  for (let code = 0; code <= 0xff_ff; code++) {
    const text = String.fromCharCode(code)
    if (quote(text) !== JSON.stringify(text)) throw new Error(`wrong text for ${code}`)
  }
})

test('writes hundredths like JSON.stringify', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (value) => {
      expect(hundredths(value)).toBe(JSON.stringify(value / 100))
    }),
  )
  for (const value of [0, -0, 1, 10, 100, 105, 110, -5, -50, -500])
    expect(hundredths(value)).toBe(JSON.stringify(value / 100))
})
