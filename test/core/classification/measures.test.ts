/** Quantities in texts and ranges in the lexicon. */
import { describe, expect, it } from 'vitest'
import { goodsWords } from '../../../src/core/classification/text/goods-text.ts'
import { isWithin, measureAt, readRange } from '../../../src/core/classification/text/measures.ts'

const first = (text: string) => measureAt(goodsWords(text), 0)

describe('a quantity', () => {
  it.each([
    ['249g', 'grams', 249, 1],
    ['249 g', 'grams', 249, 2],
    ['0.9 kg', 'grams', 900, 2],
    ['1,5l', 'millilitres', 1500, 1],
    ['1.5kW', 'watts', 1500, 1],
    ['18 volts', 'volts', 18, 2],
    ['10,000 g', 'grams', 10_000, 2],
    ['2 inches', 'millimetres', 50.8, 2],
  ])('is read from %s', (text, kind, quantity, words) => {
    expect(first(text)).toEqual({ kind, quantity: expect.closeTo(quantity, 6), words })
  })

  it.each(['drone', '4k', '249', '12 pieces', 'g 249'])('is not read from %s', (text) => {
    expect(first(text)).toBeUndefined()
  })
})

describe('a range', () => {
  it('excludes its lower bound and includes its upper bound', () => {
    const range = readRange('250..7000 g')!
    expect(
      [250, 250.5, 7000, 7000.1].map((quantity) => isWithin({ kind: 'grams', quantity, words: 1 }, range)),
    ).toEqual([false, true, true, false])
  })

  it('may be open at one end, and covers one kind of quantity', () => {
    expect(isWithin({ kind: 'watts', quantity: 0, words: 1 }, readRange('..37.5 w')!)).toBe(true)
    expect(isWithin({ kind: 'grams', quantity: 1e6, words: 1 }, readRange('10.. kg')!)).toBe(true)
    expect(isWithin({ kind: 'volts', quantity: 5, words: 1 }, readRange('..37.5 w')!)).toBe(false)
  })

  it.each(['.. g', '1..2', '1..2 furlong', 'a..b g'])('is not %s', (text) => {
    expect(readRange(text)).toBeUndefined()
  })
})
