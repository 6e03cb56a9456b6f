/** The percentages of goods. The expected values follow note 2 to section XI of the Harmonized System. */
import { describe, expect, test } from 'vitest'
import { componentsOf, valuesByShare } from '../../../src/core/classification/text/composition.ts'

const FIBRES = ['silk', 'wool', 'cotton', 'polyester', 'viscose', 'man-made']
const valuesUnder = FIBRES.map((_, value) => new Set([value]))
valuesUnder[5]!.add(3).add(4)

/** Reads "40 wool, 60 cotton". */
function mentions(text: string) {
  return text.split(', ').map((part) => {
    const [percent, fibre = ''] = part.split(' ')
    return { value: FIBRES.indexOf(fibre), percentBefore: Number(percent), percentAfter: undefined }
  })
}

function order(text: string, lastOfEquals = true): readonly string[] {
  return valuesByShare({ valuesUnder, lastOfEquals }, componentsOf(mentions(text))).map(
    (value) => FIBRES[value]!,
  )
}

describe('the fibre of a mixture', () => {
  test.each([
    ['60 cotton, 40 polyester', ['cotton', 'polyester']],
    ['40 wool, 60 cotton', ['cotton', 'wool']],
    // Man-made fibres count together (note 2(B)(c)).
    ['40 cotton, 30 viscose, 30 polyester', ['viscose', 'polyester', 'cotton']],
    ['40 cotton, 35 viscose, 25 polyester', ['viscose', 'polyester', 'cotton']],
    // The same fibre in two places.
    ['40 wool, 35 polyester, 25 polyester', ['polyester', 'wool']],
    // Of equal shares, the last in the order of the tariff (note 2(A)).
    ['50 cotton, 50 polyester', ['polyester', 'cotton']],
    ['50 polyester, 50 cotton', ['polyester', 'cotton']],
    // Artificial fibres follow synthetic ones: 5408 and 5516 are after 5407 and 5515.
    ['50 viscose, 50 polyester', ['viscose', 'polyester']],
    ['50 wool, 50 silk', ['wool', 'silk']],
    ['50 cotton, 25 viscose, 25 polyester', ['viscose', 'polyester', 'cotton']],
  ])('%s', (text, expected) => {
    expect(order(text)).toEqual(expected)
  })

  test('is the first of equal shares in a dimension without an order', () => {
    expect(order('50 cotton, 50 polyester', false)).toEqual(['cotton', 'polyester'])
    expect(order('50 polyester, 50 cotton', false)).toEqual(['polyester', 'cotton'])
  })

  test('does not include the lining', () => {
    expect(order('80 cotton, 20 polyester, 100 polyester')).toEqual(['cotton', 'polyester'])
    expect(componentsOf(mentions('80 cotton, 20 polyester, 100 silk'))).toHaveLength(2)
  })

  test('is unknown if a mention has no percentage', () => {
    const [cotton, wool] = mentions('60 cotton, 40 wool')
    expect(componentsOf([cotton!, { ...wool!, percentBefore: undefined }])).toEqual([])
  })
})
